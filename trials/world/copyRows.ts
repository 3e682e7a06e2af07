// Rows in bulk, through COPY.
import { once } from 'node:events'
import type postgres from 'postgres'

/** A value as COPY reads it: null, a text without tabs, line ends and backslashes, or `copied` bytes. */
type Value = string | number | boolean | null

export type Copy = {
  /** In the order of the columns. Resolves when there is room for more. */
  write(row: readonly Value[]): Promise<void> | undefined
  /** Commits. */
  end(): Promise<void>
}

/** Bytes as COPY reads them. */
export const copied = (bytes: Buffer): string => `\\\\x${bytes.toString('hex')}`

/** Lines are sent together: a message for each would cost more than the line. */
const sentTogether = 64 * 1024

/** One transaction. It takes a connection of `sql` until it ends. */
export async function openCopy(sql: postgres.Sql, table: string, columns: readonly string[]): Promise<Copy> {
  const stream = await sql`copy ${sql(table)} (${sql(columns as string[])}) from stdin`.writable()
  // A failure comes with the end.
  let failure: Error | undefined
  stream.on('error', (error) => {
    failure = error
  })
  let text = ''
  const send = (): Promise<void> | undefined => {
    if (failure) return Promise.reject(failure)
    const sent = text
    text = ''
    return stream.write(sent) ? undefined : once(stream, 'drain').then(() => undefined)
  }
  return {
    write(row) {
      for (let nth = 0; nth < row.length; nth++) text += `${nth === 0 ? '' : '\t'}${row[nth] ?? '\\N'}`
      text += '\n'
      return text.length < sentTogether ? undefined : send()
    },
    async end() {
      if (text) await send()
      if (failure) throw failure
      stream.end()
      await once(stream, 'finish')
    },
  }
}
