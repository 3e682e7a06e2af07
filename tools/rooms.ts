// `npm run rooms`: the map of the product. Prints every room with its size and the rooms that it imports, counts rooms
// and arrows, and says whether an arrow leads upward or closes a circle. Exit code 1 when one does.
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rooms } from './boundaryRules.ts'

type Room = { name: string; files: number; lines: number; imports: Set<string> }

/** A new noun is a new room. Beyond this number, look for rooms that have one subject. */
const maxRooms = 68

/** The rooms with product code, the highest first; imports of types count like any other. */
export function readRooms(root: string): Room[] {
  const found = new Map(rooms.map((name) => [name, { name, files: 0, lines: 0, imports: new Set<string>() }]))
  for (const file of globSync('{src,api,workers,local,ops}/**/*.ts', { cwd: root }).sort()) {
    const room = found.get(roomOf(file) ?? '')
    if (!room) continue
    const text = readFileSync(join(root, file), 'utf8')
    room.files++
    room.lines += text.split('\n').length - 1
    for (const [, path, dynamic] of text.matchAll(/(?:from|import) '(\.[^']+)'|import\('(\.[^']+)'\)/g)) {
      const other = roomOf(join(file, '..', path ?? dynamic!))
      if (other && other !== room.name) room.imports.add(other)
    }
  }
  return [...found.values()].filter(({ files }) => files > 0)
}

/** The room of a product file; undefined for tests and everything else that is not the product. */
function roomOf(file: string): string | undefined {
  if (file.endsWith('.test.ts') || file.startsWith('src/testing/')) return undefined
  if (rooms.includes(file)) return file
  const folder = file.split('/').slice(0, -1).join('/')
  return rooms.find((room) => folder === room || (room.startsWith('src/') && folder.startsWith(`${room}/`)))
}

/** Arrows to a room that stands higher. Every circle has at least one, so without them there is no circle. */
export const upwardArrows = (found: readonly Room[]): [from: string, to: string][] =>
  found.flatMap(({ name, imports }) =>
    [...imports]
      .filter((other) => rooms.indexOf(other) < rooms.indexOf(name))
      .map((other): [string, string] => [name, other]),
  )

/** Whether imports lead from one room to another, if only through others. */
export function leadsTo(found: readonly Room[], from: string, to: string): boolean {
  const seen = new Set<string>()
  const open = [from]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === to) return true
    if (seen.has(name)) continue
    seen.add(name)
    open.push(...(found.find((room) => room.name === name)?.imports ?? []))
  }
  return false
}

function print(found: readonly Room[]): number {
  const width = Math.max(...found.map(({ name }) => name.length))
  console.log(`${'room'.padEnd(width)}  files   lines  imports`)
  for (const { name, files, lines, imports } of found) {
    const below = [...imports].sort((a, b) => rooms.indexOf(a) - rooms.indexOf(b)).join(' ')
    console.log(`${name.padEnd(width)}  ${String(files).padStart(5)}  ${String(lines).padStart(6)}  ${below}`.trimEnd())
  }
  const upward = upwardArrows(found)
  const circles = upward.filter(([from, to]) => leadsTo(found, to, from))
  const arrows = found.reduce((sum, { imports }) => sum + imports.size, 0)
  const sum = (of: (room: Room) => number) => found.reduce((total, room) => total + of(room), 0)
  console.log(`\n${found.length} rooms (at most ${maxRooms}), ${arrows} arrows, ${sum((room) => room.files)} files,`)
  console.log(
    `${sum((room) => room.lines)} lines. ${circles.length || 'No'} circles, ${upward.length || 'no'} arrows upward.`,
  )
  for (const [from, to] of upward) {
    console.error(`upward: ${from} → ${to}${leadsTo(found, to, from) ? ', which closes a circle' : ''}`)
  }
  return upward.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = print(readRooms(resolve(import.meta.dirname, '..')))
