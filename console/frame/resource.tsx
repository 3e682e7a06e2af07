import { A } from '../parts/a.tsx'
import { placeOf } from './places.ts'

/** The id of a thing: a link where the thing has a screen. */
export function Resource({ id }: { id: string }) {
  const place = placeOf(id)
  const code = <code>{id}</code>
  return place ? <A to={place}>{code}</A> : code
}
