// The UID of an event in our feeds. It is its identifier and never changes.
import { encodeId, type PublicId, type Uuid } from '../shapes/ids.ts'

/** For an event made here; `id` is its public id. */
export const ownUid = (id: PublicId<'evt'>): string => `${id}@agent-calendar`

/** For an imported event: a calendar that imports our feed skips it. */
export const importedSuffix = '@imported.agent-calendar'

export const uidOf = ({ id, source }: { id: Uuid; source: 'internal' | 'external_ical' }): string =>
  source === 'internal' ? ownUid(encodeId('evt', id)) : encodeId('evt', id) + importedSuffix
