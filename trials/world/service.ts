// The service as it runs, for a test: one API process and one worker, with stores that the test may stop.
import { type Caller, callerOf } from '../../src/testing/http.ts'
import { makeOrganization } from './client.ts'
import { type Installation, openInstallation } from './installation.ts'
import { type Closable, openAll } from './opened.ts'

export type RunningService = Installation &
  Closable & {
    call: Caller
    /** An organization's key. */
    makeKey(plan: 'free' | 'pro'): Promise<string>
  }

export const openRunningService = (env: Record<string, string> = {}): Promise<RunningService> =>
  openAll('running', async (opened) => {
    const installation = await openInstallation(opened, { env })
    const call = callerOf(installation.baseUrls[0])
    const makeKey = async (plan: 'free' | 'pro') =>
      (await makeOrganization(call, installation.adminToken, { plan })).key
    return { ...installation, call, makeKey }
  })
