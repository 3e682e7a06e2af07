// The rights of an account on a CalDAV calendar, from its `current-user-privilege-set` (RFC 3744). Pure.

import { caldavName, dav } from './dav.ts'
import type { RemoteCalendar } from './provider.ts'
import { childrenOf, type XmlElement } from './xml.ts'

type Access = Pick<RemoteCalendar, 'accessRole' | 'isReadable' | 'isWritable'>

/** The account sees the calendar, so a server without an answer about rights allows reading. */
export function accessOf(set: XmlElement | undefined): Access {
  if (!set) return { accessRole: null, isReadable: true, isWritable: false }
  const granted = new Set(childrenOf(set, dav('privilege')).flatMap(({ children }) => children.map(({ name }) => name)))
  const has = (...names: readonly string[]) => names.some((name) => granted.has(dav(name)))
  const isReadable = has('read', 'all')
  const isWritable = has('write', 'all') || (has('bind') && has('write-content'))
  if (isWritable) return { accessRole: has('all', 'write-acl') ? 'owner' : 'writer', isReadable, isWritable }
  if (isReadable) return { accessRole: 'reader', isReadable, isWritable }
  return { accessRole: granted.has(caldavName('read-free-busy')) ? 'free_busy' : null, isReadable, isWritable }
}
