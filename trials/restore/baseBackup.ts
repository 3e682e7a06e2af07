// Backup and restore of Postgres with its own means, as docs/operating.md describes them: a copy of the files between
// `pg_backup_start` and `pg_backup_stop`, and the write-ahead log, archived segment by segment.
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { postgresAccount } from '../../local/account.ts'

/** Makes the folder, which the account of Postgres may write to. */
export function openArchive(directory: string): string {
  mkdirSync(directory)
  const { uid, gid } = postgresAccount(directory)
  if (uid !== undefined) run('chown', [`${uid}:${gid}`, directory])
  return directory
}

export const archiveSettings = (archive: string) => ({
  wal_level: 'replica',
  archive_mode: 'on',
  archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
})

/** Copies the running cluster `from` to the new folder `to`. */
export async function takeBackup(url: string, from: string, to: string): Promise<void> {
  // Both statements need the same session.
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined })
  try {
    await sql`select pg_backup_start('trial', true)`
    run('cp', ['-a', from, to])
    const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`
    run('find', [join(to, 'pg_wal'), '-type', 'f', '-delete'])
    run('rm', ['-f', join(to, 'postmaster.pid'), join(to, 'postmaster.opts')])
    writeFileSync(join(to, 'backup_label'), label!.labelfile)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Resolves when everything that was committed so far is in the archive. */
export async function archived(sql: postgres.Sql): Promise<void> {
  const [switched] = await sql<{ segment: string }[]>`select pg_walfile_name(pg_switch_wal()) as segment`
  for (;;) {
    const [archiver] = await sql<{ last: string | null }[]>`select last_archived_wal as last from pg_stat_archiver`
    if (archiver!.last && archiver!.last >= switched!.segment) return
    await pause(100)
  }
}

/** Makes the folder `to` a cluster that is, once it has started, as it was at `moment`. */
export function restoreBackup(backup: string, to: string, archive: string, moment: string): void {
  run('cp', ['-a', backup, to])
  const settings = {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: moment,
    recovery_target_action: 'promote',
    // It accepts no connections before it has recovered.
    hot_standby: 'off',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  appendFileSync(join(to, 'postgresql.auto.conf'), lines.join(''))
  writeFileSync(join(to, 'recovery.signal'), '')
  giveToPostgres(to)
}

/** Makes the copy of a cluster a standby that follows the server at `url`, once it has started. */
export function followPrimary(copy: string, url: string): void {
  const { hostname, port, username, password } = new URL(url)
  const conninfo = `host=${hostname} port=${port} user=${username} password=${password}`
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  writeFileSync(join(copy, 'standby.signal'), '')
  giveToPostgres(copy)
}

/** Files that root has written must belong to the account of Postgres as well. */
function giveToPostgres(directory: string): void {
  run('chown', ['-R', `--reference=${join(directory, 'PG_VERSION')}`, directory])
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
}
