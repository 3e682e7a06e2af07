// A QR code (ISO/IEC 18004) of a short text: byte mode, error correction M, versions 1 to 20. Pure.
import { checkWords } from './reedSolomon.ts'

/** By version, from 1. */
const checksPerBlock = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
const blocksOf = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]

type Grid = boolean[][]
type Draw = (x: number, y: number, isDark: boolean) => void

/** Rows of modules; true is dark. The text may have 666 bytes. */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  const bytes = new TextEncoder().encode(text)
  const version = checksPerBlock.findIndex((_, nth) => bitsOf(bytes, nth + 1) <= dataWords(nth + 1) * 8) + 1
  if (version === 0) throw new Error('The text is too long for a QR code.')
  const { grid, isFixed } = patterns(version)
  place(grid, isFixed, interleaved(dataOf(bytes, version), version))
  const masked = masks.map((mask, nth) => {
    const one = grid.map((row, y) => row.map((isDark, x) => isDark !== (!isFixed[y]![x] && mask(x, y))))
    drawFormat(nth, grid.length, (x, y, isDark) => set(one, x, y, isDark))
    return one
  })
  return masked.reduce((best, one) => (penalty(one) < penalty(best) ? one : best))
}

const set = (grid: Grid, x: number, y: number, isDark: boolean) => {
  grid[y]![x] = isDark
}

const lengthBits = (version: number): number => (version < 10 ? 8 : 16)
const bitsOf = (bytes: Uint8Array, version: number): number => 4 + lengthBits(version) + bytes.length * 8

/** Modules that are no patterns, in whole bytes. */
function allWords(version: number): number {
  const centres = version === 1 ? 0 : Math.floor(version / 7) + 2
  const alignment = centres === 0 ? 0 : (25 * centres - 10) * centres - 55
  return Math.floor(((16 * version + 128) * version + 64 - alignment - (version < 7 ? 0 : 36)) / 8)
}

const dataWords = (version: number): number => allWords(version) - checksPerBlock[version - 1]! * blocksOf[version - 1]!

function dataOf(bytes: Uint8Array, version: number): number[] {
  const binary = (value: number, length: number) => value.toString(2).padStart(length, '0')
  const capacity = dataWords(version) * 8
  const text = `0100${binary(bytes.length, lengthBits(version))}${[...bytes].map((byte) => binary(byte, 8)).join('')}`
  const ended = text + '0'.repeat(Math.min(4, capacity - text.length))
  const words = (ended.match(/.{1,8}/g) ?? []).map((part) => Number.parseInt(part.padEnd(8, '0'), 2))
  for (let pad = 0xec; words.length < capacity / 8; pad ^= 0xec ^ 0x11) words.push(pad)
  return words
}

/** Blocks with their check words, one word of each in turn. The first blocks may be a word shorter than the last ones. */
function interleaved(data: readonly number[], version: number): number[] {
  const count = blocksOf[version - 1]!
  const short = Math.floor(data.length / count)
  const shortCount = count - (data.length % count)
  const blocks = Array.from({ length: count }, (_, nth) => {
    const from = nth * short + Math.max(0, nth - shortCount)
    return data.slice(from, from + short + (nth < shortCount ? 0 : 1))
  })
  const checks = blocks.map((block) => checkWords(block, checksPerBlock[version - 1]!))
  const inTurn = (lists: readonly number[][], length: number) =>
    Array.from({ length }, (_, nth) => lists.flatMap((list) => list.slice(nth, nth + 1))).flat()
  return [...inTurn(blocks, short + 1), ...inTurn(checks, checksPerBlock[version - 1]!)]
}

/** Everything that is the same for all texts of a version; the format is drawn for its place. */
function patterns(version: number): { grid: Grid; isFixed: Grid } {
  const size = version * 4 + 17
  const empty = (): Grid => Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const [grid, isFixed] = [empty(), empty()]
  const draw: Draw = (x, y, isDark) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return
    set(grid, x, y, isDark)
    set(isFixed, x, y, true)
  }
  const square = (cx: number, cy: number, reach: number, isDark: (distance: number) => boolean) => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) draw(cx + dx, cy + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
  }
  for (let at = 0; at < size; at++) {
    draw(6, at, at % 2 === 0)
    draw(at, 6, at % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, (distance) => distance !== 2 && distance !== 4)
  const isCorner = (x: number, y: number) => (x === 6 && (y === 6 || y === size - 7)) || (y === 6 && x === size - 7)
  for (const x of centresOf(version, size))
    for (const y of centresOf(version, size)) if (!isCorner(x, y)) square(x, y, 2, (distance) => distance !== 1)
  drawFormat(0, size, draw)
  if (version >= 7) drawVersion(version, size, draw)
  return { grid, isFixed }
}

/** The rows and columns of the alignment patterns. */
function centresOf(version: number, size: number): readonly number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, nth) => size - 7 - (count - 2 - nth) * step)]
}

/** The remainder of a division of polynomials over bits. */
function remainder(value: number, length: number, divisor: number): number {
  let rest = value
  for (let nth = 0; nth < length; nth++) rest = (rest << 1) ^ ((rest >>> (length - 1)) * divisor)
  return rest
}

/** Error correction M is 00. */
function drawFormat(mask: number, size: number, draw: Draw): void {
  const bits = ((mask << 10) | remainder(mask, 10, 0x537)) ^ 0x5412
  const bit = (nth: number) => ((bits >>> nth) & 1) === 1
  for (let nth = 0; nth < 15; nth++) {
    const along = nth < 6 ? nth : nth < 8 ? nth + 1 : size - 15 + nth
    draw(8, along, bit(nth))
    draw(nth < 8 ? size - 1 - nth : nth === 8 ? 7 : 14 - nth, 8, bit(nth))
  }
  draw(8, size - 8, true)
}

function drawVersion(version: number, size: number, draw: Draw): void {
  const bits = (version << 12) | remainder(version, 12, 0x1f25)
  for (let nth = 0; nth < 18; nth++) {
    const [a, b] = [size - 11 + (nth % 3), Math.floor(nth / 3)]
    draw(a, b, ((bits >>> nth) & 1) === 1)
    draw(b, a, ((bits >>> nth) & 1) === 1)
  }
}

/** In columns of two modules, from the right, up and down. */
function place(grid: Grid, isFixed: Grid, words: readonly number[]): void {
  const size = grid.length
  let nth = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    const isUp = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (isFixed[y]![x] || nth >= words.length * 8) continue
        set(grid, x, y, ((words[nth >>> 3]! >>> (7 - (nth & 7))) & 1) === 1)
        nth++
      }
    }
  }
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** How hard it is to read: long runs, squares, what looks like a corner, and too much of one colour. */
function penalty(grid: Grid): number {
  const rows = grid.map((row) => row.map(Number).join(''))
  const columns = grid.map((_, x) => grid.map((row) => Number(row[x])).join(''))
  const lines = [...rows, ...columns]
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0)
  const corners = lines.flatMap((line) => line.match(/(?=10111010000|00001011101)/g) ?? []).length
  let squares = 0
  for (let y = 1; y < grid.length; y++)
    for (let x = 1; x < grid.length; x++)
      if (new Set([grid[y]![x], grid[y - 1]![x], grid[y]![x - 1], grid[y - 1]![x - 1]]).size === 1) squares++
  const dark = rows.join('').replaceAll('0', '').length / grid.length ** 2
  return runs + corners * 40 + squares * 3 + Math.floor(Math.abs(dark - 0.5) * 20) * 10
}
