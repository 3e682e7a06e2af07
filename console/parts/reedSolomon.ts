// The check words of a QR code: Reed–Solomon over the field of 256 elements with the polynomial 0x11d. Pure.

function times(a: number, b: number): number {
  let product = 0
  for (let nth = 7; nth >= 0; nth--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((b >>> nth) & 1) * a
  }
  return product
}

/** The product of all x - 2^n up to the degree, without its leading 1. */
function divisor(degree: number): number[] {
  const factors = Array<number>(degree).fill(0)
  factors[degree - 1] = 1
  let root = 1
  for (let nth = 0; nth < degree; nth++) {
    for (let at = 0; at < degree; at++) factors[at] = times(factors[at]!, root) ^ (factors[at + 1] ?? 0)
    root = times(root, 2)
  }
  return factors
}

export function checkWords(data: readonly number[], count: number): number[] {
  const factors = divisor(count)
  return data.reduce((rest, word) => {
    const first = word ^ rest[0]!
    return [...rest.slice(1), 0].map((one, nth) => one ^ times(factors[nth]!, first))
  }, Array<number>(count).fill(0))
}
