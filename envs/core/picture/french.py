"""The French deck: trèvols, diamants, cors, piques; jota, reina and rei as two-headed busts.

A card is 100 wide and 150 high.
"""

from envs.core.picture.shapes import INK, box, circle, halves, line, path, placed, words

RED, BLACK, GOLD, SKIN = "#c8202f", "#1d1d26", "#f0b429", "#f4d3b0"
COLOURS = {"C": BLACK, "D": RED, "H": RED, "S": BLACK}
_HEART = "M0,11C-4,5 -11.5,.8 -11.5,-4.8C-11.5,-8.6 -8.8,-11 -5.7,-11C-3.1,-11 -1,-9.6 0,-7C1,-9.6 3.1,-11 5.7,-11C8.8,-11 11.5,-8.6 11.5,-4.8C11.5,.8 4,5 0,11Z"  # noqa: E501 - a path
_DIAMOND = "M0,-13C2.8,-8 6,-3.8 9.6,0C6,3.8 2.8,8 0,13C-2.8,8 -6,3.8 -9.6,0C-6,-3.8 -2.8,-8 0,-13Z"
_SPADE = "M0,-12.5C4,-6.2 11.5,-2 11.5,4C11.5,7.8 8.8,9.6 6,9.6C3.8,9.6 2,8.6 1,6.8C1.2,9.4 2.4,11.4 4.6,12.4H-4.6C-2.4,11.4 -1.2,9.4 -1,6.8C-2,8.6 -3.8,9.6 -6,9.6C-8.8,9.6 -11.5,7.8 -11.5,4C-11.5,-2 -4,-6.2 0,-12.5Z"  # noqa: E501 - a path
_STEM = "M-1.2,2H1.2C1.2,7.5 2.4,11 4.8,12.4H-4.8C-2.4,11 -1.2,7.5 -1.2,2Z"
PIPS = {
    "C": circle(0, -6.8, 5.4, BLACK) + circle(-6.2, 2.6, 5.4, BLACK) + circle(6.2, 2.6, 5.4, BLACK)
    + path("M-3,-3H3V4H-3Z" + _STEM, BLACK),
    "D": path(_DIAMOND, RED),
    "H": path(_HEART, RED),
    "S": path(_SPADE, BLACK),
}  # fmt: skip
_PLACES: dict[str, list[tuple[float, float]]] = {  # of the upper half and the middle line
    "A": [],
    "2": [(50, 33)],
    "3": [(50, 33), (50, 75)],
    "4": [(38, 33), (62, 33)],
    "5": [(38, 33), (62, 33), (50, 75)],
    "6": [(38, 33), (62, 33), (38, 75), (62, 75)],
    "7": [(38, 33), (62, 33), (38, 75), (62, 75), (50, 54)],
    "8": [(38, 33), (62, 33), (38, 75), (62, 75), (50, 54)],
    "9": [(38, 28), (62, 28), (38, 59), (62, 59), (50, 75)],
    "10": [(38, 28), (62, 28), (38, 59), (62, 59), (50, 43.5)],
}
_SIZES = {"2": 1.15, "3": 1.15, "4": 0.95, "5": 0.95, "9": 0.78, "10": 0.78}
_ODD = {"7"}  # whose single pip in the upper half has no mirror


def face(rank: str, suit: str) -> str:
    """The drawing of a card, without its paper."""
    colour = COLOURS.get(suit, INK)
    if rank in _PLACES:
        return pips(rank, suit) + corners(rank, suit, colour)
    return court(rank, suit, colour) + corners(rank, suit, colour)


def corners(rank: str, suit: str, colour: str) -> str:
    """Rank and suit in two corners, so that a fan of cards can be read."""
    index = words(rank, 15, 28, 26 if len(rank) == 1 else 22, colour, anchor="middle",
                  letter_spacing=-2 if len(rank) > 1 else None)  # fmt: skip
    return halves(index + (placed(PIPS[suit], 15, 41, 0.74) if suit else ""))


def pips(rank: str, suit: str) -> str:
    """The pips of a number; the ace has one large one."""
    if rank == "A":
        return placed(PIPS[suit], 50, 75, 2.3)
    pip, size, drawn = PIPS[suit], _SIZES.get(rank, 0.85), []
    for x, y in _PLACES[rank]:
        drawn.append(placed(pip, x, y, size))
        if y < 75 and not (rank in _ODD and x == 50):
            drawn.append(placed(pip, 100 - x, 150 - y, size, turn=180))
    return "".join(drawn)


# Court cards


def court(rank: str, suit: str, colour: str) -> str:
    """A bust in the upper half of a frame, and the same upside down."""
    first, second = ("#b3202c", "#1f4e8c") if colour == RED else ("#1f4e8c", "#b3202c")
    bust = {"J": _jack, "Q": _queen, "K": _king}[rank](first, second)
    ground = box(26, 10, 48, 130, "#fbf1d6", rx=3, stroke=first, stroke_width=1.2)
    return ground + halves(placed(bust, -8.7, -13, 1.175)) + line("M26.6,75H73.4", INK, 1)


def _shoulders(first: str, second: str) -> str:
    """What all three wear: a coat with a broad sash, down to the middle line."""
    return (
        path("M31,75C32,66 38,61 44,59H56C62,61 68,66 69,75Z", first, INK, 0.9)
        + path("M44,59L50,69L56,59Z", "#fff", INK, 0.8)
        + line("M36,75C36.5,70 39,67 42,64.5M64,75C63.5,70 61,67 58,64.5", GOLD, 2)
        + path("M46,75L50,69L54,75Z", second)
    )


def _head(hair: str, curls: str) -> str:
    features = line("M48,46h.1M54,46h.1", INK, 1.9) + line("M51,47V50H52.4", "#a3623f", 0.9)
    mouth = line("M49,53q2.2,1.5 4.4,0", "#b3202c", 1.3)
    return path(curls, hair, INK, 0.8) + circle(51, 48, 8.4, SKIN, INK, 0.8) + features + mouth


def _jack(first: str, second: str) -> str:
    """The jota: a cap with a feather, hair to the chin."""
    hair = _head("#c98a2b", "M41,44C37,56 40,60 45,59H57C62,60 65,56 61,44Z")
    cap = path("M39,43C39,31 63,31 63,43C55,39.5 47,39.5 39,43Z", second, INK, 0.9)
    feather = path("M60,38C66,34 69,28 67,22C61,26 58,32 58,37Z", GOLD, INK, 0.8)
    return _shoulders(first, second) + hair + cap + feather + line("M42,39H60", GOLD, 1.4)


def _queen(first: str, second: str) -> str:
    """The reina: long hair, a small crown, a flower."""
    hair = _head("#7a4a1f", "M41,42C35,58 36,66 40,69L46,60H56L62,69C66,66 67,58 61,42Z")
    crown = path("M41,41L39,30L45,35L51,27L57,35L63,30L61,41C54,38.6 48,38.6 41,41Z", GOLD, INK,
                 0.9)  # fmt: skip
    pearls = "".join(circle(x, y, 1.5, "#fff", INK, 0.6) for x, y in ((39, 29), (51, 26), (63, 29)))
    petals = "".join(circle(66 + x, 54 + y, 2.2, second) for x, y in ((-2, 0), (2, 0), (0, -2),
                                                                     (0, 2)))  # fmt: skip
    necklace = line("M45.5,58.5q5.5,4.5 11,0", GOLD, 1.6)
    return (_shoulders(first, second) + hair + crown + pearls + petals + circle(66, 54, 1.6, GOLD)
            + necklace)  # fmt: skip


def _king(first: str, second: str) -> str:
    """The rei: a high crown, a beard, a sceptre."""
    beard = path("M42.6,48C42,60 47,66 51,68C55,66 60,60 59.4,48C57,54 45,54 42.6,48Z", "#e4ded2",
                 INK, 0.8)  # fmt: skip
    hair = _head("#e4ded2", "M42,43C38,53 39,58 43,58H59C63,58 64,53 60,43Z")
    crown = path("M41,41V29L46,34L51,25L56,34L61,29V41C54,38.6 48,38.6 41,41Z", GOLD, INK, 0.9)
    cross = line("M51,25V19.5M48.6,22H53.4", INK, 1.5)
    jewels = circle(51, 36, 1.7, second) + circle(45.4, 37.4, 1.2, first)
    jewels += circle(56.6, 37.4, 1.2, first)
    mouth = line("M49,53.6q2.2,1.2 4.4,0", "#b3202c", 1.3)
    sceptre = line("M68,75V44", INK, 2.6) + line("M68,75V44", GOLD, 1.5)
    sceptre += circle(68, 42, 2.8, GOLD, INK, 0.8)
    head = hair + beard + mouth + crown + jewels + cross
    return _shoulders(first, second) + sceptre + head
