// The colours of a page from the one that its owner chose: changed as little as the contrast of WCAG AA needs (4.5 for text), in
// light and in dark mode. Pure.

type Rgb = readonly [number, number, number]

/** The names of the style sheet (`booking.css`), each as `#rrggbb`. */
export type Theme = Record<'accent' | 'accent-strong' | 'on-accent' | 'tint' | 'tint-strong', string>

const textContrast = 4.5
const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
/** The backgrounds of the colours: the ground and the card of the style sheet. The second one is the card. */
const grounds = {
  light: [parse('#f3f4f8'), parse('#ffffff')],
  dark: [parse('#0e1116'), parse('#171b23')],
} as const
type Mode = keyof typeof grounds

/** `color`: `#rrggbb`. */
export function themeOf(color: string, mode: Mode): Theme {
  const [ground, card] = grounds[mode]
  const away = mode === 'light' ? black : white
  const given = parse(color)
  const [tint, tintStrong] = [0.1, 0.18].map((share) => mixed(card, given, mode === 'light' ? share : share * 1.5)) as [
    Rgb,
    Rgb,
  ]
  const readable = (from: Rgb, on: readonly Rgb[]) => {
    let found = from
    for (let share = 0; share <= 1 && on.some((under) => contrast(found, under) < textContrast); share += 0.02) {
      found = mixed(from, away, share)
    }
    return found
  }
  const accent = readable(given, [ground, card, tint])
  const accentStrong = readable(mixed(accent, away, 0.15), [ground, card, tint, tintStrong])
  const onAccent = [white, black].reduce((one, other) =>
    contrast(other, accent) > contrast(one, accent) ? other : one,
  )
  return {
    accent: written(accent),
    'accent-strong': written(accentStrong),
    'on-accent': written(onAccent),
    tint: written(tint),
    'tint-strong': written(tintStrong),
  }
}

/** By WCAG 2.2: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(parse(one), parse(other))
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function parse(color: string): Rgb {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

const mixed = (one: Rgb, other: Rgb, share: number): Rgb =>
  one.map((part, nth) => Math.round(part + (other[nth]! - part) * share)) as unknown as Rgb

const written = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
