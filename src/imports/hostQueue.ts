// At most a few requests at once to one host from this process, and at most a few that wait. An organization holds at most as many
// places as it leaves free, and as many of those that wait, so that its slow feeds do not hold up those of others on the same host.
import type { Uuid } from '../shapes/ids.ts'
import { type FairQueue, openFairQueue } from '../stores/fairQueue.ts'

const maxAtOnce = 4
const maxWaiting = 100

export type Feed = { orgId: Uuid; id: Uuid; host: string }

/** The organizations of a host take turns. */
export const openHostQueue = (): FairQueue<Feed> =>
  openFairQueue<Feed>({
    mayBegin: (feed, working) => leavesAsMuch(feed, working, maxAtOnce),
    mayWait: (feed, waiting) => leavesAsMuch(feed, waiting, maxWaiting),
    turnOf: ({ host, orgId }) => `${orgId} ${host}`,
  })

function leavesAsMuch({ host, orgId }: Feed, feeds: readonly Feed[], max: number): boolean {
  const atHost = feeds.filter((one) => one.host === host)
  return atHost.filter((one) => one.orgId === orgId).length < max - atHost.length
}
