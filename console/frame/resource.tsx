import { A } from '../parts/a.tsx'
import { partsOf, placeOf } from './places.ts'

/** The id of a thing: a link where the thing has a screen. */
export function Resource({ id }: { id: string }) {
  const place = placeOf(id)
  const code = <code>{id}</code>
  return place ? <A {...partsOf(place)}>{code}</A> : code
}
