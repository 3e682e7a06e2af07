import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { test } from 'vitest'
import { openStrangeServer, refusal, sendJson, withStrangeServer } from '../../testing/client.ts'
import {
  AgentCalendar,
  ApiError,
  ConnectionError,
  InternalError,
  QuotaExceededError,
  RateLimitError,
  TimeoutError,
  UnexpectedAnswerError,
} from './entry.ts'

const agent = { name: 'Agent', type: 'ai' } as const

test('a write is repeated with the key of its first attempt, until it is answered', async () => {
  await withStrangeServer(
    (response, nth) => {
      if (nth === 1) response.destroy()
      else if (nth === 2) sendJson(response, 503, refusal('internal_error'))
      else sendJson(response, 201, { id: 'agt_1' })
    },
    async (calendar, { requests }) => {
      assert.equal((await calendar.agents.create(agent)).id, 'agt_1')
      const keys = requests.map(({ headers }) => headers['idempotency-key'])
      assert.equal(keys.length, 3)
      assert.equal(new Set(keys).size, 1)
      await calendar.agents.create(agent)
      assert.notEqual(requests[3]!.headers['idempotency-key'], keys[0])
    },
  )
})

test('a write without a key is not repeated when its outcome is unknown, but after a refusal for the rate', async () => {
  const signUp = { email: 'a@example.com', agent_name: 'A', tos_version: '1' } as never
  await withStrangeServer(
    (response) => sendJson(response, 500, refusal('internal_error')),
    async (calendar, { requests }) => {
      await assert.rejects(async () => calendar.agents.signUp(signUp), InternalError)
      assert.equal(requests.length, 1)
    },
  )
  await withStrangeServer(
    (response, nth) =>
      nth === 1
        ? sendJson(response, 429, refusal('rate_limit_error'), { 'retry-after': '0' })
        : sendJson(response, 200, {}),
    async (calendar, { requests }) => {
      await calendar.agents.signUp(signUp)
      assert.equal(requests.length, 2)
    },
  )
})

test('Retry-After is waited for, but not for long, and never for a quota', async () => {
  for (const [type, seconds, Class] of [
    ['rate_limit_error', '86400', RateLimitError],
    ['quota_exceeded', '0', QuotaExceededError],
  ] as const) {
    await withStrangeServer(
      (response) => sendJson(response, 429, refusal(type), { 'retry-after': seconds }),
      async (calendar, { requests }) => {
        await assert.rejects(
          async () => calendar.agents.list(),
          (error) => error instanceof Class && error.retryAfterSeconds === Number(seconds),
        )
        assert.equal(requests.length, 1)
      },
    )
  }
})

test('a signal ends the attempt, and the pause before the next one, with its reason', async () => {
  const reason = new Error('enough')
  for (const answer of ['hang', 'retry'] as const) {
    await withStrangeServer(
      (response) => {
        if (answer === 'retry') sendJson(response, 429, refusal('rate_limit_error'), { 'retry-after': '25' })
      },
      async (calendar, { requests }) => {
        const controller = new AbortController()
        const call = calendar.agents.list({ signal: controller.signal })
        while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
        setTimeout(() => controller.abort(reason), 50)
        await assert.rejects(async () => call, reason)
        await assert.rejects(async () => calendar.agents.list({ signal: controller.signal }), reason)
        assert.equal(requests.length, 1)
      },
    )
  }
})

test('without an answer in time, and without a server', async () => {
  await withStrangeServer(
    () => undefined,
    async (calendar, { requests }) => {
      await assert.rejects(async () => calendar.agents.list({ timeoutMs: 50, maxRetries: 1 }), TimeoutError)
      assert.equal(requests.length, 2)
    },
  )
  const { url, close } = await openStrangeServer(() => undefined)
  await close()
  await assert.rejects(
    async () => new AgentCalendar({ baseUrl: url, apiKey: 'x', maxRetries: 0 }).agents.list(),
    (error) => error instanceof ConnectionError && error.message.includes('ECONNREFUSED'),
  )
})

test('a redirect is not followed: no other host gets the key', async () => {
  const thief = await openStrangeServer((response) => sendJson(response, 200, { data: [] }))
  try {
    for (const status of [301, 302, 303, 307, 308]) {
      await withStrangeServer(
        (response) => response.writeHead(status, { location: `${thief.url}/v1/agents` }).end(),
        async (calendar) => {
          await assert.rejects(async () => calendar.agents.list(), /redirect to .* is not followed/)
          await assert.rejects(async () => calendar.agents.create(agent), UnexpectedAnswerError)
        },
      )
    }
    assert.equal(thief.requests.length, 0)
  } finally {
    await thief.close()
  }
})

test('an answer that is too large is refused, also one that was packed small', async () => {
  const text = JSON.stringify({ data: ['a'.repeat(3_000_000)] })
  for (const packed of [false, true]) {
    await withStrangeServer(
      (response) => {
        const headers = { 'content-type': 'application/json', ...(packed && { 'content-encoding': 'gzip' }) }
        response.writeHead(200, headers).end(packed ? gzipSync(text) : text)
      },
      async (calendar) => {
        await assert.rejects(async () => calendar.agents.list(), /more than 1000000 bytes/)
      },
      { maxAnswerBytes: 1_000_000 },
    )
  }
})

const strange: [name: string, status: number, body: string, error: typeof UnexpectedAnswerError | typeof ApiError][] = [
  ['no JSON', 200, '<html>hello</html>', UnexpectedAnswerError],
  ['a refusal of a proxy', 400, '<html>bad</html>', UnexpectedAnswerError],
  ['an error that is null', 400, '{"error":null}', UnexpectedAnswerError],
  ['an error without a message', 400, '{"error":{"type":"not_found"}}', UnexpectedAnswerError],
  ['null', 400, 'null', UnexpectedAnswerError],
  ['a type that is not known', 418, '{"error":{"type":"teapot","message":"m"}}', ApiError],
  ['a type of every object', 400, '{"error":{"type":"constructor","message":"m"}}', ApiError],
  [
    'fields of other types',
    400,
    '{"error":{"type":"not_found","message":"m","param":{},"suggestions":"x","code":7}}',
    ApiError,
  ],
]

for (const [name, status, body, Class] of strange) {
  test(`a strange answer is an error of the client: ${name}`, async () => {
    await withStrangeServer(
      (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      async (calendar) => {
        await assert.rejects(
          async () => calendar.agents.get('agt_1'),
          (error) => {
            assert.ok(error instanceof Class, String(error))
            if (error instanceof ApiError)
              assert.deepEqual([error.param, error.code, [...error.suggestions]], [null, undefined, []])
            return true
          },
        )
      },
    )
  })
}

test('a list without its items is an error, and an empty page ends a list that promises more', async () => {
  await withStrangeServer(
    (response) => sendJson(response, 200, { data: 'everything', total: 9, offset: 0 }),
    async (calendar) => {
      await assert.rejects(async () => Array.fromAsync(calendar.agents.list()), UnexpectedAnswerError)
    },
  )
  await withStrangeServer(
    (response, nth) => sendJson(response, 200, { data: nth === 1 ? [1] : [], total: 1e9, offset: nth - 1 }),
    async (calendar, { requests }) => {
      assert.deepEqual(await Array.fromAsync(calendar.agents.list()), [1])
      assert.equal(requests.length, 2)
    },
  )
})

test('baseUrl is an address of http without a password; that of the MCP server will do', async () => {
  for (const baseUrl of ['nonsense', 'ftp://host', 'https://user:secret@host']) {
    assert.throws(() => new AgentCalendar({ baseUrl, apiKey: 'x' }), TypeError)
  }
  await withStrangeServer(
    (response) => sendJson(response, 200, {}),
    async (_, { url, requests }) => {
      await new AgentCalendar({ baseUrl: `${url}/behind/a/proxy/mcp/`, apiKey: 'x' }).usage.get()
      assert.equal(requests[0]!.url, '/behind/a/proxy/v1/usage')
    },
  )
})
