"""The Spanish deck: oros, copes, espases, bastos; sota, cavall and rei.

Suits differ by shape first and by colour second, and by the *pintes*, the gaps in the frame: none
for oros, one for copes, two for espases, three for bastos. A card is 100 wide and 150 high.
"""

from envs.core.picture.shapes import INK, circle, halves, line, number, path, placed, tag, words

GOLD, EDGE, SKIN, HAIR = "#f3b61f", "#7a4b00", "#f2c9a1", "#5b3a1e"
COLOURS = {"O": "#b9770e", "C": "#c0272d", "E": "#1f5fa8", "B": "#2f7d3b", "": "#4a4458"}
_SECOND = {"O": "#c0272d", "C": "#1f5fa8", "E": "#c0272d", "B": "#b9770e", "": "#b9770e"}
_HORSES = {"O": "#8a5a33", "C": "#e9e2d4", "E": "#6d6a70", "B": "#a9713f", "": "#e9e2d4"}
_GAPS = {"O": (), "C": (50,), "E": (40, 60), "B": (32, 50, 68), "": ()}
FIGURES = {10: "sota", 11: "cavall", 12: "rei"}
_LEFT, _MIDDLE, _RIGHT = 41, 53, 65
_ROWS = {2: (47, 103), 3: (35, 75, 115), 4: (47, 103), 6: (36, 75, 114), 8: (27, 58, 92, 123)}
_CENTRES = {5: (75,), 7: (55.5,), 9: (75,)}  # pips between the two columns of one number less


def _oro() -> str:
    rays = "".join(
        f"M0,0L{x},{y}" for x, y in ((0, -6), (4.2, -4.2), (6, 0), (4.2, 4.2),
                                     (0, 6), (-4.2, 4.2), (-6, 0), (-4.2, -4.2))
    )  # fmt: skip
    return (
        circle(0, 0, 11.5, GOLD, EDGE, 1.4)
        + circle(0, 0, 8.4, "#fbd45c", EDGE, 0.8)
        + line(rays, "#c0272d", 1.9)
        + circle(0, 0, 2.6, "#c0272d")
    )


def _copa() -> str:
    bowl = "M-9.5,-9.5C-9.5,0 -5.5,3.4 -1.9,4.2V7.2C-4.5,8 -7,9 -7.4,12H7.4C7,9 4.5,8 1.9,7.2V4.2C5.5,3.4 9.5,0 9.5,-9.5Z"  # noqa: E501 - a path
    return (
        path(bowl, "#d3343a", "#6b0f14", 1.2)
        + line("M-8.6,-3.2C-4,-.6 4,-.6 8.6,-3.2M-3.6,7.7H3.6", GOLD, 1.8)
        + path("M-9.5,-9.5C-9.5,-13 9.5,-13 9.5,-9.5C9.5,-6.4 -9.5,-6.4 -9.5,-9.5Z",
               GOLD, "#6b0f14", 1.1)
    )  # fmt: skip


def _espasa() -> str:
    return (
        path("M0,-13.5L3,-9.5V3.5H-3V-9.5Z", "#5b9bd8", "#123a68", 1.2)
        + line("M0,-10V2.5", "#dcecfb", 1.2)
        + path("M-8,3.4C-4,5 4,5 8,3.4L8.6,6.2C4,7.4 -4,7.4 -8.6,6.2Z", GOLD, EDGE, 1)
        + path("M-1.8,7H1.8V11H-1.8Z", "#c0272d", "#123a68", 0.8)
        + circle(0, 12, 2, GOLD, EDGE, 0.8)
    )


def _basto() -> str:
    club = "M-2,13.2H2C2.4,9 3,7 3.6,5.4C5.8,4.6 5.4,1.6 4.4,1C5.2,-1.2 5.6,-2.6 5.8,-4.4C6.8,-10.4 3.8,-13.4 0,-13.4C-3.8,-13.4 -6.8,-10 -5.8,-6.4C-8.2,-5 -7.6,-1.4 -5,-1.4C-4.2,2 -2.6,7 -2,13.2Z"  # noqa: E501 - a path
    cuts = ((-5.6, -3.9, 1.5, 1.9), (4, 3.2, 1.2, 1.6), (1.6, -7.4, 1.9, 1.6))
    return (
        path(club, "#3f9a4b", "#17431e", 1.2)
        + line("M-2.6,-9C-3.4,-5 -1.8,2 -.9,9M2.6,-3.6C2.4,-1 1.6,4 1,9", "#a5d6a0", 1)
        + path("M-1.9,9.4H1.9L2,13.2H-2Z", "#b9770e", "#17431e", 0.9)
        + "".join(tag("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill="#f0d9a0", stroke="#17431e",
                      stroke_width=0.7) for x, y, rx, ry in cuts)
    )  # fmt: skip


PIPS = {"O": _oro(), "C": _copa(), "E": _espasa(), "B": _basto()}


def frame(suit: str) -> str:
    """The line around the card, open at top and bottom where the suit has its *pintes*."""
    ends = [5.5, *(edge for gap in _GAPS[suit] for edge in (gap - 4.5, gap + 4.5)), 94.5]
    across = "".join(
        f"M{a},{y}H{b}" for a, b in zip(ends[::2], ends[1::2], strict=True) for y in (5.5, 144.5)
    )
    return line(f"{across}M5.5,5.5V144.5M94.5,5.5V144.5", COLOURS[suit], 1.6)


def corners(text: str, suit: str) -> str:
    """Number and suit at the top left, so that a fan can be read; the number at the other end."""
    wide = len(text) > 1
    index = words(text, 18 if wide else 17, 31, 22 if wide else 25, INK, anchor="middle",
                  letter_spacing=-1 if wide else None)  # fmt: skip
    return halves(index) + (placed(PIPS[suit], 17, 45, 0.74) if suit else "")


def pip_places(count: int) -> list[tuple[float, float]]:
    """Where the pips of a number from 1 to 9 lie, row by row."""
    if count == 1:
        return [(51, 75)]
    centre = _CENTRES.get(count, ())
    paired = count - len(centre)
    if count in (2, 3):
        return [(_MIDDLE, y) for y in _ROWS[count]]
    columns = [(x, y) for y in _ROWS[paired] for x in (_LEFT, _RIGHT)]
    return sorted([*columns, *((_MIDDLE, y) for y in centre)], key=lambda place: place[1])


def _size(count: int) -> float:
    return {1: 2.5, 2: 1.75, 3: 1.4}.get(count, 0.95 if count < 7 else 0.88)


def face(rank: int, suit: str) -> str:
    """The drawing of a card, without its paper."""
    middle = figure(rank, suit) if rank in FIGURES else pips(rank, suit)
    return frame(suit) + middle + corners(str(rank), suit)


def pips(count: int, suit: str) -> str:
    """The pips of a number; cards without suits show the number over one pip of each."""
    if not suit:
        below = ((38, 116, "O"), (51, 116, "C"), (62, 116, "E"), (71, 115, "B"))
        return words(count, 54, 92, 64, COLOURS[""], anchor="middle") + "".join(
            placed(PIPS[pip], x, y, 0.5) for x, y, pip in below
        )
    size = _size(count)
    return "".join(placed(PIPS[suit], x, y, size) for x, y in pip_places(count))


# Figures


def figure(rank: int, suit: str) -> str:
    """Sota, cavall or rei with the suit in the raised hand."""
    draw = {10: _sota, 11: _cavall, 12: _rei}[rank]
    held = placed(PIPS[suit] if suit else _star(), 79, 40, 1.15)
    return placed(draw(COLOURS[suit], _SECOND[suit], _HORSES[suit]) + held, -1, -4)


def _star() -> str:
    """What the figures of a deck without suits hold."""
    return path("M0,-11L3,-3.6L11,-3.4L4.6,1.4L7,9.2L0,4.6L-7,9.2L-4.6,1.4L-11,-3.4L-3,-3.6Z",
                "#8e6bbf", "#3c2a5c", 1.2)  # fmt: skip


def _limb(d: str, colour: str, width: float) -> str:
    return line(d, INK, width + 2) + line(d, colour, width)


def _hand(x: float, y: float) -> str:
    return circle(x, y, 4, SKIN, INK, 1)


def _face(x: float, y: float, r: float = 9) -> str:
    eyes = f"M{number(x - 3.4)},{y - 1}h.1M{number(x + 3.4)},{y - 1}h.1"
    mouth = f"M{number(x - 2.4)},{y + 4}q2.4,1.8 4.8,0"
    return circle(x, y, r, SKIN, INK, 1) + line(eyes, INK, 1.9) + line(mouth, "#a3402f", 1.2)


def _sota(first: str, second: str, horse: str) -> str:
    """A page: cap with a feather, belted tunic."""
    return (
        _limb("M42,98V121M55,98V121", second, 7)
        + path("M35,127C35,120 46,119 46,127ZM50,127C50,120 62,119 62,127Z", INK)
        + path("M38,47C34,60 41,62 48,61C56,62 63,60 59,47Z", HAIR, INK, 0.9)
        + _limb("M58,66L75,57", first, 7) + _hand(78, 55)
        + _limb("M38,66L30,83", first, 7) + _hand(29, 87)
        + path("M38,60C44,57 53,57 59,60L66,102C55,106 42,106 31,102Z", first, INK, 1.2)
        + path("M44,59L48.5,68L53,59Z", "#fff", INK, 0.9)
        + path("M35.5,79H61.5L62.3,85H34.7Z", GOLD, EDGE, 0.9)
        + line("M33,98.6C43,101.6 54,101.6 64,98.6", GOLD, 2)
        + _face(48.5, 48)
        + line("M41,39C35,34 36,27 42,24", INK, 4.4) + line("M41,39C35,34 36,27 42,24", GOLD, 2.6)
        + path("M36,44C36,33 61,33 61,44C52,40 45,40 36,44Z", second, INK, 1.1)
    )  # fmt: skip


def _cavall(first: str, second: str, horse: str) -> str:
    """A rider on a horse that looks to the right."""
    body = "M27,96C25,84 37,80 50,82C58,82 63,76 66,68L71,60L76,61L75,66L83,75L80,80L73,77C72,86 73,96 69,104L72,127H66L60,108H44L39,127H33L33,107C29,105 27,101 27,96Z"  # noqa: E501 - a path
    return (
        _limb("M28,92C19,94 20,108 25,116", HAIR, 3.4)
        + _limb("M38,105L30,125M63,106L73,120", horse, 5)
        + path(body, horse, INK, 1.2)
        + line("M65,68L60,74M67,63L61,68M63,74L57,79", HAIR, 2.4)
        + circle(74, 69, 1.3, INK)
        + path("M39,85C44,80 56,80 60,86L58,95H41Z", second, INK, 1)
        + _limb("M49,86L45,104L51,107", first, 5.6)
        + _limb("M57,64L75,56", first, 6) + _hand(77, 55)
        + path("M40,59C45,56 53,56 58,59L61,86C54,89 44,89 38,86Z", first, INK, 1.2)
        + line("M39,83C46,86 53,86 60,83", GOLD, 2)
        + line("M79,78L64,86L55,79", "#8c1c13", 1.5)
        + _limb("M43,66L53,77", first, 5.6) + circle(55, 79, 3.2, SKIN, INK, 0.9)
        + path("M40,46C36,57 42,60 49,59C56,60 61,57 58,46Z", HAIR, INK, 0.9)
        + _face(49, 47, 8.5)
        + path("M36,42C40,33 58,33 62,42C54,39 44,39 36,42Z", second, INK, 1.1)
        + path("M42,38C43,30 55,30 56,38Z", second, INK, 1.1)
    )  # fmt: skip


def _rei(first: str, second: str, horse: str) -> str:
    """A king: crown, beard, a long cloak."""
    return (
        _limb("M60,70L75,58", first, 7) + _hand(78, 56)
        + path("M36,60C42,56 55,56 61,60C65,84 68,106 69.5,127H26C28,106 32,84 36,60Z", first, INK,
               1.3)
        + path("M43,62H54L60,127H37Z", second, INK, 1)
        + line("M41,76H56M40,88H57.5M39,100H58.5M38.4,112H59.6", GOLD, 2.4)
        + path("M26.5,120C39,125 57,125 69,120L69.5,127.5H26Z", "#fff", INK, 1)
        + line("M32,124.6h.1M40,125.6h.1M48,126h.1M56,125.6h.1M63.5,124.6h.1", INK, 2.2)
        + _limb("M38,69L44,86", first, 7) + _hand(46, 89)
        + path("M39,46C36,62 43,73 48.5,76C54,73 61,62 58,46Z", "#d9d3c7", INK, 1)
        + _face(48.5, 46, 9.4)
        + path("M37,39L35,22L42,30L48.5,19L55,30L62,22L60,39C52,36 45,36 37,39Z", GOLD, EDGE, 1.2)
        + circle(48.5, 32, 2, "#c0272d") + circle(41.5, 34, 1.4, "#1f5fa8")
        + circle(55.5, 34, 1.4, "#1f5fa8")
    )  # fmt: skip
