// Rows in bulk, through COPY.
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
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
  const connection = await sql.reserve()
  await connection`begin`
  const stream = await connection`copy ${sql(table)} (${sql(columns as string[])}) from stdin`.writable()
  let failure: Error | undefined
  stream.on('error', (error) => {
    failure = error
  })
  let text = ''
  const send = async (): Promise<void> => {
    if (failure) throw failure
    const sent = text
    text = ''
    if (!stream.write(sent)) await once(stream, 'drain')
  }
  return {
    write(row) {
      for (let nth = 0; nth < row.length; nth++) text += `${nth === 0 ? '' : '\t'}${row[nth] ?? '\\N'}`
      text += '\n'
      return text.length < sentTogether ? undefined : send()
    },
    async end() {
      // Everything is with the server before the end is, and the end before the next statement.
      await new Promise((sent) => stream.write(text, sent))
      stream.end()
      await nextTurn()
      // The driver hides a failure after the last row; but then the transaction takes no more statements.
      const refusal = await connection`select`.then(
        () => undefined,
        (error: Error) => error.message,
      )
      await connection.unsafe(refusal === undefined ? 'commit' : 'rollback')
      connection.release()
      if (failure) throw failure
      if (refusal !== undefined) throw new Error(`rows of ${table} were refused, Postgres' log says why: ${refusal}`)
    },
  }
}
