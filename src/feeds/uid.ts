// The UID of an event in our feeds: its identifier, the same for life.
import { encodeId, type PublicId, type Uuid } from '../shapes/ids.ts'

/** Of an event of our own; `id` as the API tells it. */
export const ownUid = (id: PublicId<'evt'>): string => `${id}@agent-calendar`

/** Of an event that was itself imported: who reads such a feed does not import it again. */
export const importedSuffix = '@imported.agent-calendar'

export const uidOf = ({ id, source }: { id: Uuid; source: 'internal' | 'external_ical' }): string =>
  source === 'internal' ? ownUid(encodeId('evt', id)) : encodeId('evt', id) + importedSuffix
