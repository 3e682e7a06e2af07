// `npm run trial -- console`: what the console costs a browser, against its budgets; the processor is 4 times slower unless a row says
// otherwise. Milliseconds count only on a machine with nothing else to do.
import { listenForStop } from '../../local/stopSignals.ts'
import { openBrowser } from '../../src/testing/browser.ts'
import { type Installation, openInstallation } from '../world/installation.ts'
import { type Closable, openAll } from '../world/opened.ts'
import { table } from '../world/report.ts'
import { runTrial } from '../world/trial.ts'
import { few, makeScene, many, type Scene } from './scene.ts'
import { openTab, type Tab } from './tab.ts'

const maxMs = 5 * 60_000
const restMs = 5_000
const kb = 1024

type Measure = { what: string; figure: number; budget: number; unit: 'KB' | 'ms' | '' }

const measures: Measure[] = []
const keep = (what: string, figure: number, budget: number, unit: Measure['unit'] = '') =>
  void measures.push({ what, figure: Math.round(figure), budget, unit })

/** Milliseconds since the navigation when this is on the page. */
const shownAfterMs = async ({ page }: Tab, selector: string) =>
  Number(
    await page.evaluate(`new Promise((resolve) => {
      const look = () => document.querySelector('${selector}') ? resolve(performance.now()) : requestAnimationFrame(look)
      look()
    })`),
  )

async function measureSignIn(tab: Tab, { baseUrl }: Scene) {
  await tab.page.goto(`${baseUrl}/console/sign-in`, { waitUntil: 'commit' })
  keep('Sign in: usable', await shownAfterMs(tab, 'input[type=password]'), 2_000, 'ms')
  await tab.page.waitForLoadState('networkidle')
  keep('Sign in: script', tab.bytesOf('.js') / kb, 120, 'KB')
  keep('Sign in: style', tab.bytesOf('.css') / kb, 30, 'KB')
}

async function measureWeek(tab: Tab, { baseUrl, weeks }: Scene) {
  await tab.page.goto(`${baseUrl}/console/calendar?${weeks[0]}`, { waitUntil: 'commit' })
  keep(`Week of ${few}: tiles`, await shownAfterMs(tab, '[data-tile]'), 4_000, 'ms')
  await tab.page.waitForLoadState('load')
  await tab.page.waitForTimeout(restMs)
  keep('Calendar: script', tab.bytesOf('.js') / kb, 200, 'KB')
  keep('Calendar: requests', tab.requests().length, 4)
  const before = tab.requests().length
  await tab.page.waitForTimeout(restMs)
  keep('Calendar: requests at rest', tab.requests().length - before, 0)
}

const openCrowd = async (tab: Tab, { baseUrl, weeks }: Scene) => {
  await tab.page.goto(`${baseUrl}/console/calendar?${weeks[1]}`, { waitUntil: 'commit' })
  const shownMs = await shownAfterMs(tab, '[data-tile]')
  await tab.page.waitForTimeout(2_000)
  return shownMs
}

/** At full speed. */
async function measureCrowd(tab: Tab, scene: Scene) {
  const { page } = tab
  keep(`Week of ${many}: tiles, full speed`, await openCrowd(tab, scene), 2_000, 'ms')
  keep(`Week of ${many}: elements`, Number(await page.evaluate(`document.querySelectorAll('*').length`)), 5_000)
  const grid = (await page.locator('.grid').boundingBox())!
  await page.mouse.move(grid.x + grid.width / 2, grid.y + grid.height / 2)
  const scrolling = await tab.longestTaskMs(async () => {
    for (let nth = 0; nth < 24; nth++) {
      await page.mouse.wheel(nth * 10, nth < 12 ? 100 : -100)
      await page.waitForTimeout(50)
    }
  })
  keep(`Week of ${many}: longest task while scrolling, full speed`, scrolling, 100, 'ms')
}

async function measureHand(tab: Tab, scene: Scene) {
  const { page } = tab
  keep(`Week of ${many}: tiles`, await openCrowd(tab, scene), 4_000, 'ms')
  const drag = await tab.slowestInputMs(() => carry(tab))
  keep(`Week of ${many}: a drag, to the next picture`, drag, 200, 'ms')
  const keys = await tab.slowestInputMs(async () => {
    await page.locator('[data-tile][tabindex="0"]').focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'v', 'ArrowDown', 'ArrowDown', 'Escape', 'ArrowUp']) {
      await page.keyboard.press(key)
      await page.waitForTimeout(100)
    }
  })
  keep(`Week of ${many}: a key, to the next picture`, keys, 200, 'ms')
}

/** The place of an event in the middle of the grid. */
const tileInSight = `(() => {
  const grid = document.querySelector('.grid').getBoundingClientRect()
  const boxes = [...document.querySelectorAll('.day-column [data-tile]')].map((one) => one.getBoundingClientRect())
  const { x, y } = boxes.find(({ x, y }) => x > grid.x + 100 && x < grid.right - 200 && y > grid.y + 100 && y < 550)
  return { x: x + 5, y: y + 8 }
})()`

/** An event follows the mouse, and is taken back. */
async function carry({ page }: Tab) {
  const { x, y } = (await page.evaluate(tileInSight)) as { x: number; y: number }
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let nth = 1; nth <= 10; nth++) {
    await page.mouse.move(x + nth, y + nth * 8)
    await page.waitForTimeout(50)
  }
  await page.keyboard.press('Escape')
  await page.mouse.up()
}

async function measure(site: Installation) {
  const scene = await makeScene(site)
  const browser = await openBrowser()
  try {
    for (const [work, { isSignedIn, isSlow }] of [
      [measureSignIn, { isSignedIn: false, isSlow: true }],
      [measureWeek, { isSignedIn: true, isSlow: true }],
      [measureCrowd, { isSignedIn: true, isSlow: false }],
      [measureHand, { isSignedIn: true, isSlow: true }],
    ] as const) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, timezoneId: 'Europe/Berlin' })
      if (isSignedIn) await context.addCookies([scene.cookie])
      await work(await openTab(context, isSlow), scene)
      await context.close()
    }
  } finally {
    await browser.close()
  }
}

const isOver = ({ figure, budget }: Measure) => figure > budget
const shown = (amount: number, unit: string) => `${amount.toLocaleString('en')} ${unit}`.trim()

process.exit(
  await runTrial<Installation & Closable>({
    what: 'Starting Postgres, Redis, an API process and a worker',
    stop: listenForStop(),
    maxMs,
    open: () => openAll('console', (opened) => openInstallation(opened)),
    run: measure,
    isWrong: () => measures.length === 0 || measures.some(isOver),
    report: () =>
      table(
        ['of the console', 'measured', 'at most', ''],
        measures.map((one) => [
          one.what,
          shown(one.figure, one.unit),
          shown(one.budget, one.unit),
          isOver(one) ? 'MISSED' : 'met',
        ]),
      ),
  }),
)
