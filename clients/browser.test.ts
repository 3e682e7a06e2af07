// The packed TypeScript client in a real browser, on a page of the service: the API lets browsers in from its own origin alone.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser, withoutBrowser } from '../src/testing/browser.ts'
import { serviceTest } from '../src/testing/test.ts'
import { installPackages } from './testing/package.ts'

const test = serviceTest()

test.skipIf(Boolean(withoutBrowser))(
  'the client writes, reads a list and follows changes in a browser',
  async ({ service, key }) => {
    const installed = installPackages()
    const browser = await openBrowser()
    const page = await browser.newPage({ bypassCSP: true })
    try {
      page.setDefaultTimeout(90_000)
      const dist = join(installed.folder, 'node_modules/@agent-calendar/client/dist')
      await page.route('**/client/**', (route) => {
        const file = new URL(route.request().url()).pathname.replace('/client/', '')
        return route.fulfill({ contentType: 'text/javascript', body: readFileSync(join(dist, file), 'utf8') })
      })
      await page.goto(`${service.baseUrl}/openapi.json`)
      const done = await page.evaluate(`(async () => {
      const { AgentCalendar, NotFoundError } = await import('/client/entry.js')
      const calendar = new AgentCalendar({ baseUrl: location.origin, apiKey: ${JSON.stringify(key)} })
      const { cursor } = await calendar.changes.list()
      const agent = await calendar.agents.create({ name: 'In a browser', type: 'ai' })
      const names = []
      for await (const one of calendar.agents.list({ limit: 1 })) names.push(one.name)
      const refused = await calendar.agents.get('agt_none').catch((error) => error instanceof NotFoundError)
      for await (const step of calendar.changes.follow({ cursor }))
        if (step.kind === 'changes') return { names, refused, told: step.entries[0].type, isOwn: JSON.stringify(step.entries[0]).includes(agent.id) }
    })()`)
      assert.deepEqual(done, { names: ['In a browser'], refused: true, told: 'agent.created', isOwn: true })
    } finally {
      await page.close()
      installed.close()
    }
  },
  240_000,
)
