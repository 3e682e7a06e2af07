// The packages as a user gets them: packed from a copy of the sources, unpacked in an empty folder.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/clients')

/** The files of each package. */
type Files = { client: string[]; cli: string[] }
type Installed = { folder: string; files: Files; close(): void }

export function installPackages(): Installed {
  const packed = packedNow()
  const folder = mkdtempSync(join(tmpdir(), 'user-'))
  cpSync(packed, folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  cpSync(join(root, 'node_modules/commander'), join(folder, 'node_modules/commander'), { recursive: true })
  const files: Files = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8'))
  return { folder, files, close: () => rmSync(folder, { recursive: true }) }
}

/** Packed once from the same sources, by whoever asks first. */
function packedNow(): string {
  const sources = globSync('clients/{cli,typescript}/**/*.*', { cwd: root }).filter(
    (path) => !/\/(dist|node_modules)\//.test(path),
  )
  const hash = createHash('sha256')
  for (const path of [...sources.sort(), 'clients/tsconfig.build.json', 'tsconfig.json', 'package-lock.json'])
    hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  const packed = join(cache, hash.digest('hex').slice(0, 16))
  if (!existsSync(packed)) pack(packed)
  return packed
}

function pack(packed: string): void {
  const build = mkdtempSync(join(tmpdir(), 'clients-'))
  cpSync(join(root, 'clients'), join(build, 'clients'), {
    recursive: true,
    filter: (path) => !/\/(dist|node_modules)$/.test(path),
  })
  cpSync(join(root, 'tsconfig.json'), join(build, 'tsconfig.json'))
  symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'))
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'new-'))
  const files: Files = {
    client: unpack(build, 'typescript', folder, 'client'),
    cli: unpack(build, 'cli', folder, 'cli'),
  }
  writeFileSync(join(folder, 'files.json'), JSON.stringify(files))
  rmSync(build, { recursive: true })
  try {
    renameSync(folder, packed)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(packed)) throw error
    rmSync(folder, { recursive: true })
  }
}

function unpack(build: string, source: string, folder: string, name: string): string[] {
  const cwd = join(build, 'clients', source)
  const packed = execFileSync('npm', ['pack', '--json'], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[')))
  const target = join(folder, 'node_modules/@agent-calendar', name)
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', join(cwd, filename), '--strip-components=1', '-C', target])
  return files.map(({ path }: { path: string }) => path).sort()
}

/** The Node of the project, and every other one on this machine that the packages promise to run on. */
export function nodes(): string[] {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'].map((dir) =>
    join(dir, 'node'),
  )
  const versions = new Map<string, string>([[process.version, process.execPath]])
  for (const path of new Set(places.filter((place) => existsSync(place)))) {
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()
    if (Number(/^v(\d+)/.exec(version)?.[1]) >= 20 && !versions.has(version)) versions.set(version, path)
  }
  return [...versions.values()]
}
