// The migrated database that every test file clones: `create database x template calendar_template`.
import postgres from 'postgres'
import { migrate } from '../../ops/migrate.ts'

export const templateName = 'calendar_template'

/** The same server, another database. */
export function onDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Made anew. Connections to it are refused afterwards: a template in use cannot be cloned. */
export async function makeTemplate(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    const [old] = await sql`select from pg_database where datname = ${templateName}`
    if (old) await sql`alter database ${sql(templateName)} is_template false`
    await sql`drop database if exists ${sql(templateName)} with (force)`
    await sql`create database ${sql(templateName)}`
    await migrate(onDatabase(adminUrl, templateName))
    await sql`alter database ${sql(templateName)} is_template true`
    await sql`alter database ${sql(templateName)} allow_connections false`
  } finally {
    await sql.end({ timeout: 5 })
  }
}
