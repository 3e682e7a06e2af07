// Statements that know their answer: each writes a token of its own and asks for it back.
import { isUndone } from '../stores/failures.ts'
import type { Sql } from '../stores/postgres.ts'

export type Asked = {
  own: string[]
  /** Answered, but with something else. */
  foreign: string[]
  /** Failed, and nothing of it happened. */
  undone: string[]
  /** Failed, and nobody knows. */
  unknown: string[]
}

export const makeTokens = (sql: Sql) => sql`create table tokens (token text not null)`

/** So many ask one thing after the other until `stop`. */
export function startAsking(sql: Sql, askers: number): { asked: Asked; stop(): Promise<Asked> } {
  const asked: Asked = { own: [], foreign: [], undone: [], unknown: [] }
  let isAsking = true
  const ask = async (asker: number) => {
    for (let nth = 0; isAsking; nth++) {
      const token = `${asker}.${nth}`
      try {
        const rows = await sql<{ token: string }[]>`insert into tokens values (${token}) returning token`
        asked[rows.length === 1 && rows[0]?.token === token ? 'own' : 'foreign'].push(token)
      } catch (error) {
        asked[isUndone(error) ? 'undone' : 'unknown'].push(token)
        // A failure without a wait would be asked for ten thousand times.
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
  }
  const asking = Promise.all(Array.from({ length: askers }, (_, asker) => ask(asker)))
  return {
    asked,
    async stop() {
      isAsking = false
      await asking
      return asked
    },
  }
}
