"""Pictures of cards and tables, as SVG strings of our own drawing.

``card_svg("11B")`` is a card, ``table_svg(table)`` what a ``Table`` shows; both stand alone, without
fonts or links from elsewhere, and the same input gives the same bytes. ``raster`` turns them into
pixels and ``window`` shows them, for which the extra ``naips[play]`` is needed.
"""

from envs.core.picture.cards import card_svg
from envs.core.picture.table import table_svg

__all__ = ["card_svg", "table_svg"]
