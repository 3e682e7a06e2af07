// The packages as a user gets them: packed from a copy of the sources, unpacked in an empty folder.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

type Installed = {
  folder: string
  /** The files of each package. */
  files: { client: string[]; cli: string[] }
  close(): void
}

export function installPackages(): Installed {
  const build = mkdtempSync(join(tmpdir(), 'clients-'))
  const folder = mkdtempSync(join(tmpdir(), 'user-'))
  cpSync(join(root, 'clients'), join(build, 'clients'), {
    recursive: true,
    filter: (path) => !/\/(dist|node_modules)$/.test(path),
  })
  cpSync(join(root, 'tsconfig.json'), join(build, 'tsconfig.json'))
  symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'))
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  cpSync(join(root, 'node_modules/commander'), join(folder, 'node_modules/commander'), { recursive: true })
  const files = { client: unpack(build, 'typescript', folder, 'client'), cli: unpack(build, 'cli', folder, 'cli') }
  return {
    folder,
    files,
    close() {
      rmSync(build, { recursive: true })
      rmSync(folder, { recursive: true })
    },
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
