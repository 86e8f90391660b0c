"""Pictures side by side, for notebooks."""

from base64 import b64encode
from collections.abc import Mapping
from html import escape


class Gallery:
    """Captions and SVG pictures in rows; notebooks show it.

    Args:
        pictures: caption -> SVG. Each is embedded as an image of its own, so that ids that two
            pictures share do not meet.
        columns: pictures in a row.
    """

    def __init__(self, pictures: Mapping[str, str], columns: int = 2):
        self.pictures, self.columns = dict(pictures), columns

    def _repr_html_(self) -> str:
        style = f"display:inline-block;width:{96 // self.columns}%;margin:0.5%"
        return "".join(
            f'<figure style="{style}"><figcaption>{escape(caption)}</figcaption>'
            f'<img alt="{escape(caption)}" style="width:100%" src="data:image/svg+xml;base64,'
            f'{b64encode(svg.encode()).decode()}"></figure>'
            for caption, svg in self.pictures.items()
        )
