// JSON whose numbers keep their values. A number that a double cannot hold would change in silence.

/** In the place of a number that would change: more digits than a double keeps, beyond its range, or a negative zero. */
export class InexactNumber {}

/** Whether a text may have such a number: sixteen digits in a row, an exponent, or a minus before a zero. Cheap, and true too often. */
const suspicious = /(?:^|[:,[\s])(?:-?\d[\d.]{15}|-?\d[\d.]*[eE]|-0(?:\.0+)?(?![\d.]))/

/** As `JSON.parse`, with an `InexactNumber` for each number that would change. */
export function parseExactly(text: string): unknown {
  if (!suspicious.test(text)) return JSON.parse(text)
  try {
    return JSON.parse(text, revive)
  } catch (error) {
    // Nested too deeply for the second look.
    if (error instanceof RangeError) return JSON.parse(text)
    throw error
  }
}

/** `source`: the number as it was sent. The types of the language do not know it yet. */
const revive = ((_key: string, value: unknown, { source }: { source?: string }) =>
  typeof value === 'number' && source !== undefined && !isExact(value, source) ? new InexactNumber() : value) as (
  key: string,
  value: unknown,
) => unknown

const isExact = (value: number, source: string): boolean =>
  Number.isFinite(value) && !Object.is(value, -0) && decimalOf(String(value)) === decimalOf(source)

/** One spelling for each value: its digits without zeros at either end, and the power of ten behind them. */
function decimalOf(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  if (kept === '') return '0'
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}
