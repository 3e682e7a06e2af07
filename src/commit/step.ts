// The parts of a change as values. A part is embedded in another one to select from it; two files never agree on a name.
import type { Fragment, Sql } from '../stores/postgres.ts'
import { Identifier } from '../stores/template.ts'

/** A named part of a change: a common table expression. Embedded in a statement it stands for its rows. */
export class Step extends Identifier {
  readonly name: string
  readonly body: Fragment
  constructor(name: string, body: Fragment) {
    super(`did_${name}`)
    this.name = name
    this.body = body
  }
}

/** A part that the guard depends on. It takes effect even if the guard matches no row. */
export const step = (name: string, body: Fragment): Step => new Step(name, body)

/** The rows of the guard, for the effects: without one of them an effect does nothing. */
export const guard = new Identifier('guard')

/** A condition that holds once the part has run, whatever it found: Postgres runs parts that nothing selects from in any order. */
export const hasRun = (sql: Sql, part: Step | undefined): Fragment =>
  part ? sql`(select count(*) from ${part}) >= 0` : sql`true`
