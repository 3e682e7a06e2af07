// The end of a session: here and in every other tab of this browser, without a trace.
import { dropDrafts } from '../state/drafts.ts'
import { sendRemovals } from '../state/undo.ts'
import { queryClient } from './queryClient.ts'
import { service } from './service.ts'

const channel = new BroadcastChannel('console-session')

/** A new page: nothing of the last one stays in its memory, and Back leads to nothing. */
function leave(): void {
  dropDrafts()
  queryClient.clear()
  location.replace('/console/sign-in')
}

/** After the organization of this tab has ended. */
export const endHere = leave

export async function signOut(): Promise<void> {
  sendRemovals()
  await service.accounts.signOut().catch(() => {})
  channel.postMessage('signed out')
  leave()
}

export function leaveWithOthers(): void {
  channel.onmessage = leave
}
