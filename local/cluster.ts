// The files of one Postgres cluster: they are made completely or not at all, with the superuser's password inside.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, canReach, type Programs, sharedHome } from './account.ts'

export const superuser = 'calendar'
const passwordFile = 'agent-calendar.password'

/** `directory`: where the files really are; the requested path may be a link. `password`: the superuser's. */
export type Cluster = { directory: string; password: string }

/** Opens `<dataDir>/postgres`, made first if it is not there. */
export function openCluster(dataDir: string, account: Account, programs: Programs, durable: boolean): Cluster {
  const link = join(dataDir, 'postgres')
  letThrough(dataDir, account)
  if (!existsSync(link)) makeCluster(link, account, programs, durable)
  const directory = realpathSync(link)
  if (!canReach(directory, account)) {
    throw new Error(`the account that runs Postgres may not enter ${directory}: choose another DATA_DIR`)
  }
  return { directory, password: readFileSync(join(directory, passwordFile), 'utf8').trim() }
}

/** Lets that account alone pass through our directory without listing it; each secret in it is 0600. */
function letThrough(dataDir: string, account: Account): void {
  if (account.uid === undefined || canReach(dataDir, account)) return
  const { uid, gid, mode } = statSync(dataDir)
  if (uid !== 0 || gid !== 0) return
  chownSync(dataDir, uid, account.gid!)
  chmodSync(dataDir, (mode & 0o7777) | 0o010)
}

// initdb wants an empty directory and may be killed halfway, so it works on a draft; the rename is the commit.
function makeCluster(link: string, account: Account, programs: Programs, durable: boolean): void {
  const socketDirectory = canReach(dirname(link), account)
    ? link
    : join(sharedHome, `cluster-${randomBytes(6).toString('hex')}`)
  const draft = `${socketDirectory}.draft`
  const password = `${socketDirectory}.password`
  if (socketDirectory !== link) {
    mkdirSync(sharedHome, { recursive: true })
    chmodSync(sharedHome, 0o755)
  }
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (account.uid !== undefined) for (const path of [draft, password]) chownSync(path, account.uid, account.gid!)
  runInitdb(draft, password, { account, programs, durable })
  renameSync(password, join(draft, passwordFile))
  renameSync(draft, socketDirectory)
  if (socketDirectory !== link) {
    rmSync(link, { force: true })
    symlinkSync(socketDirectory, link)
  }
}

/** With the collation provider inside Postgres: the order is the same on every machine, with any locales. */
function runInitdb(
  directory: string,
  password: string,
  { account, programs, durable }: { account: Account; programs: Programs; durable: boolean },
): void {
  const args = [`--pgdata=${directory}`, `--username=${superuser}`, `--pwfile=${password}`, '--auth=scram-sha-256']
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  args.push('--no-instructions', ...(durable ? [] : ['--no-sync']))
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  const done = spawnSync(programs.initdb, args, { ...account, cwd: '/', env, encoding: 'utf8' })
  if (done.status === 0) return
  rmSync(directory, { recursive: true, force: true })
  const reason = done.error?.message ?? done.stderr.trim().split('\n').at(-1)
  throw new Error(`Postgres could not make its files: ${reason}`)
}
