// A tab of Chromium, on a processor that is 4 times slower if asked, with counters of what it loads and how long it is busy.
import type { BrowserContext, CDPSession, Page } from 'playwright-core'

const slower = 4

export type Tab = {
  page: Page
  /** Bytes as sent of the answers whose address has this ending. */
  bytesOf(ending: string): number
  /** The addresses of API requests, besides the stream of changes. */
  requests(): readonly string[]
  /** Milliseconds of the longest task of the page while `work` runs. */
  longestTaskMs(work: () => Promise<unknown>): Promise<number>
  /** Milliseconds from an input to the next picture, the longest of those that `work` makes. */
  slowestInputMs(work: () => Promise<unknown>): Promise<number>
  close(): Promise<void>
}

export async function openTab(context: BrowserContext, isSlow: boolean): Promise<Tab> {
  const page = await context.newPage()
  await page.addInitScript(watch)
  const cdp = await context.newCDPSession(page)
  if (isSlow) await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const { sizes, requests } = await counted(cdp)
  const during = async (name: 'tasks' | 'inputs', work: () => Promise<unknown>) => {
    await page.evaluate(`watched.${name} = []`)
    await work()
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))')
    return Number(await page.evaluate(`Math.max(0, ...watched.${name})`))
  }
  return {
    page,
    bytesOf: (ending) => [...sizes].filter(([url]) => url.endsWith(ending)).reduce((sum, [, bytes]) => sum + bytes, 0),
    requests: () => requests,
    longestTaskMs: (work) => during('tasks', work),
    slowestInputMs: (work) => during('inputs', work),
    close: () => page.close(),
  }
}

/** The page keeps its long tasks, and the inputs that waited for a picture. */
const watch = `
  globalThis.watched = { tasks: [], inputs: [] }
  const keep = (name, options) =>
    new PerformanceObserver((list) => watched[name].push(...list.getEntries().map(({ duration }) => duration))).observe(options)
  keep('tasks', { type: 'longtask' })
  keep('inputs', { type: 'event', durationThreshold: 16 })`

async function counted(cdp: CDPSession) {
  const addresses = new Map<string, string>()
  const sizes = new Map<string, number>()
  const requests: string[] = []
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => {
    addresses.set(requestId, request.url)
    if (/\/v1\//.test(request.url) && !request.url.includes('/v1/changes')) requests.push(request.url)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    sizes.set(addresses.get(requestId) ?? '', encodedDataLength)
  })
  await cdp.send('Network.enable')
  return { sizes, requests }
}
