import { handlings, sqlStates } from '../../src/stores/sqlStates.ts'
import { code, page, table } from './markdown.ts'

export const sqlStatesPage = (): string =>
  page(
    'Errors of Postgres',
    '`src/stores/sqlStates.ts`',
    'The log shows the SQLSTATE of a failed statement as `code`. Two letters stand for a class: all states that begin with them and have no row of their own. Any other state is a defect.',
    table(
      ['SQLSTATE', 'Error', 'Handling', 'Why'],
      sqlStates.map(({ state, name, handling, why }) => [code(state), name, handling, why]),
    ),
    table(
      ['Handling', 'The caller gets', 'A worker'],
      Object.entries(handlings).map(([name, { answer, work }]) => [name, answer, work]),
    ),
    'An error of the connection itself, such as a refused or a broken connection, is handled as `away`.',
  )
