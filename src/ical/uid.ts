// The UID of an event in our feeds: its identifier, the same for life.
import { encodeId } from '../ids.ts'

const ownSuffix = '@agent-calendar'
/** Of an event that was itself imported: who reads such a feed does not import it again. */
export const importedSuffix = '@imported.agent-calendar'

export const uidOf = ({ id, source }: { id: string; source: 'internal' | 'external_ical' }): string =>
  encodeId('evt', id) + (source === 'internal' ? ownSuffix : importedSuffix)
