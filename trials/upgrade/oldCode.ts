// The code of an older version, in a folder of its own.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../world/supervise.ts'

/** The last release; before the first one, the last commit that changed older migrations: nothing upgrades across it. */
export const defaultRef = (): string =>
  git('describe', '--tags', '--abbrev=0', 'HEAD^') ||
  git('log', '-1', '--format=%h', '--diff-filter=MDR', '--', 'migrations/[0-9]*.sql') ||
  'HEAD^'

/** `a1b2c3d Say what is new`; undefined if there is no such commit. */
export const commitOf = (ref: string): string | undefined =>
  git('log', '-1', '--format=%h %s', '--end-of-options', ref, '--')

/** Unpacks the commit into the new folder, with the packages that it names. */
export function unpack(ref: string, folder: string): void {
  mkdirSync(folder, { mode: 0o755 })
  const { status, stderr } = spawnSync('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', ref, folder], {
    cwd: repository,
    encoding: 'utf8',
  })
  if (status !== 0 || !existsSync(join(folder, 'package.json'))) throw new Error(`git archive ${ref}: ${stderr}`)
  if (hasAllPackages(folder)) {
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
    return
  }
  console.log('  its packages are others than those of today: npm ci')
  const installed = spawnSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8' })
  if (installed.status !== 0) throw new Error(`npm ci: ${installed.stderr}`)
}

/** Whether the packages of today are those that the older version names. */
function hasAllPackages(folder: string): boolean {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.entries(dependencies).every(([name, version]) => {
    const file = join(repository, 'node_modules', name, 'package.json')
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version
  })
}

function git(...words: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', words, { cwd: repository, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
