import type { ReactNode } from 'react'
import { type Role, useMay } from '../service/roles.ts'
import { removed } from '../state/undo.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'
import { Menu, type MenuItem } from './menu.tsx'

type Column<R> = {
  head: string
  cell: (row: R) => ReactNode
  /** Hidden where there is little room. */
  isMinor?: boolean
  isNumber?: boolean
}

type Props<R> = {
  label: string
  rows: readonly R[]
  idOf: (row: R) => string
  columns: readonly Column<R>[]
  /** The text of the first cell, for the names of menus. */
  nameOf?: (row: R) => string
  actions?: (row: R) => readonly MenuItem[]
  /** The least role that may do them. */
  least?: Role
  /** Shown below the head of a table without rows. */
  empty?: ReactNode
}

export function Table<R>(props: Props<R>) {
  const { label, rows, idOf, columns, nameOf, least = 'developer', empty } = props
  const gone = useStore(removed)
  const actions = useMay(least) ? props.actions : undefined
  const shown = rows.filter((row) => !gone.has(idOf(row)))
  return (
    <div className="scroll">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ head, isMinor, isNumber }) => (
              <th key={head} scope="col" className={classOf(isMinor, isNumber)}>
                {head}
              </th>
            ))}
            {actions && (
              <th scope="col" className="end">
                <span className="spoken">{texts.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={idOf(row)}>
              {columns.map(({ head, cell, isMinor, isNumber }) => (
                <td key={head} className={classOf(isMinor, isNumber)}>
                  {cell(row)}
                </td>
              ))}
              {actions && (
                <td className="end">
                  {actions(row).length > 0 && (
                    <Menu label={texts.actionsFor(nameOf!(row))} items={actions(row)}>
                      <span aria-hidden="true">⋯</span>
                    </Menu>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && empty && <div className="empty">{empty}</div>}
    </div>
  )
}

const classOf = (isMinor?: boolean, isNumber?: boolean) =>
  [isMinor && 'minor', isNumber && 'number'].filter(Boolean).join(' ') || undefined
