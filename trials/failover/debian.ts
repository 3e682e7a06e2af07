// Debian testing in a folder of its own: it has Patroni, etcd and HAProxy for the Postgres that the service needs.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sharedHome } from '../../local/account.ts'
import { findProgram } from '../world/programs.ts'

const suite = 'forky'
/** Patroni knows several stores for its decisions, and would bring the client of another one. */
const packages = ['postgresql-18', 'patroni', 'python3-psycopg2', 'python3-etcd', 'etcd-server', 'haproxy']

/** Throws one line if the trial cannot run here. */
export function requireTools(user = process.getuid?.()): void {
  if (process.platform !== 'linux' || user !== 0)
    throw new Error('the trial needs root on Linux: it makes namespaces and a folder with Debian')
  for (const [program, name] of [
    ['unshare', 'util-linux'],
    ['ip', 'iproute2'],
    ['debootstrap', 'debootstrap'],
  ] as const) {
    findProgram(program, name)
  }
}

/** The folder, made once: it takes some minutes. Throws one line. */
export function debianFolder(): string {
  const made = existsSync(sharedHome) && readdirSync(sharedHome).find(isWhole)
  if (made) return join(sharedHome, made)
  const folder = join(sharedHome, `${suite}-${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`)
  const draft = `${folder}.part`
  const log = `${folder}.log`
  console.log(`Installing Debian ${suite} in ${folder}, once (some minutes; ${log})`)
  mkdirSync(sharedHome, { recursive: true, mode: 0o755 })
  for (const old of [draft, folder]) rmSync(old, { recursive: true, force: true })
  // An older debootstrap knows the suite by the script of unstable alone.
  const words = ['--variant=minbase', `--include=${packages.join(',')}`, suite, draft, mirror(), 'sid']
  const { status } = spawnSync('sh', ['-c', `exec debootstrap "$@" > ${log} 2>&1`, 'sh', ...words], { cwd: '/' })
  if (status !== 0) throw new Error(`Debian ${suite} cannot be installed: see ${log}`)
  renameSync(draft, folder)
  rmSync(log, { force: true })
  return folder
}

const isWhole = (name: string) =>
  /^forky-\d{8}$/.test(name) && packages.every((one) => existsSync(join(sharedHome, name, 'usr/share/doc', one)))

/** The one that this machine's own packages come from. */
function mirror(): string {
  const asked = ['indextargets', '--format', '$(SITE)', 'Created-By: Packages', 'Label: Debian', 'Component: main']
  const [site] = spawnSync('apt-get', asked, { encoding: 'utf8' }).stdout?.split('\n') ?? []
  if (!site) throw new Error('the trial needs a mirror of Debian: run apt-get update')
  return site
}
