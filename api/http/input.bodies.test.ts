import assert from 'node:assert/strict'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { encodeId, newId, type Prefix } from '../../src/shapes/ids.ts'
import type { CallOptions } from '../../src/testing/http.ts'
import { agentBody, inputTest, isInvalid } from '../../src/testing/inputs.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = inputTest()

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

test('JSON may be nested 64 levels deep; ten thousand and a hundred thousand are refused alike', async ({
  postAgent,
}) => {
  const inMetadata = (levels: number) => `{"name":"A","type":"ai","metadata":{"deep":${nested(levels)}}}`
  assert.equal((await postAgent({ raw: inMetadata(61) })).status, 201)
  for (const levels of [63, 10_000, 100_000]) isInvalid(await postAgent({ raw: inMetadata(levels) }), 'metadata')
  for (const levels of [70, 10_000, 100_000]) isInvalid(await postAgent({ raw: nested(levels) }), '0')
  const objects = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
  isInvalid(await postAgent({ raw: objects }), 'a')
})

test('a number that would change is refused where it stands; one that a double holds keeps its value', async ({
  postAgent,
}) => {
  const withNumber = (number: string) => `{"name":"A","type":"ai","metadata":{"list":[0,{"n":${number}}]}}`
  const changing = [
    '900719925474099312345',
    '9007199254740993',
    '1e400',
    '1E400',
    '-0',
    '0.1000000000000000055511151231257827',
  ]
  for (const number of changing) isInvalid(await postAgent({ raw: withNumber(number) }), 'metadata.list.1.n')
  isInvalid(await postAgent({ raw: '{"name":9007199254740993,"type":"ai"}' }), 'name')
  isInvalid(await postAgent({ raw: '1e400' }), null)
  for (const number of ['9007199254740992', '1e21', '0.1', '-1.5e-7', '1.7976931348623157e308']) {
    const { status, body } = await postAgent({ raw: withNumber(number) })
    assert.deepEqual([status, body.metadata], [201, { list: [0, { n: Number(number) }] }], number)
  }
})

test('a body over 256 KB is 413 in the shape of every error, plain or packed', async ({ postAgent, storesNothing }) => {
  const filler = (bytes: number) => {
    const frame = JSON.stringify(agentBody({ description: '' })).length
    return JSON.stringify(agentBody({ description: 'x'.repeat(bytes - frame) }))
  }
  const exact = filler(256 * 1024)
  assert.equal(exact.length, 256 * 1024)
  // Just fits; that the description is too long is seen only then.
  isInvalid(await postAgent({ raw: exact }), 'description')
  await storesNothing(async () => {
    for (const bytes of [256 * 1024 + 1, 300_000, 5_000_000]) {
      assertRefused(await postAgent({ raw: filler(bytes) }), 413, 'validation_error')
    }
    const packed = new Uint8Array(gzipSync(filler(20_000_000)))
    assert.ok(packed.length < 100_000)
    const bomb = await postAgent({ raw: packed, headers: { 'content-encoding': 'gzip' } })
    assertRefused(bomb, 413, 'validation_error')
  })
})

test('a body that is no JSON, or JSON that is no object, is refused', async ({
  call,
  key,
  agent,
  postAgent,
  storesNothing,
}) => {
  const texts = [
    '{',
    '}',
    '{"name"}',
    "{'name':'A'}",
    '{"name":"A",}',
    'name=A&type=ai',
    '<xml/>',
    'NaN',
    '{"a":01}',
    '\u0000',
    '{}{}',
    'undefined',
  ]
  const values = ['[]', '[{"name":"A","type":"ai"}]', '"text"', '1', 'true', 'null', '-0', '1e400']
  await storesNothing(async () => {
    for (const raw of texts) isInvalid(await postAgent({ raw }))
    for (const raw of values) {
      const answer = await postAgent({ raw })
      isInvalid(answer)
      assertRefused(await call('PATCH', `/v1/agents/${agent.id}`, { key, raw }), 400, 'validation_error')
    }
    for (const raw of ['', ' ', '\n']) {
      const answer = await postAgent({ raw })
      assertRefused(answer, 400, 'validation_error', { param: answer.body.error.param })
    }
    isInvalid(await postAgent({}), 'name')
  })
})

test('null is a body, and changes nothing where every field may be left out', async ({ call, key, calendar }) => {
  const path = `/v1/calendars/${calendar.id}/availability-rules`
  const put = await call('PUT', path, { key, body: { buffer_before_minutes: 15 } })
  assert.equal(put.status, 200)
  isInvalid(await call('PUT', path, { key, raw: 'null' }))
  assert.deepEqual((await call('GET', path, { key })).body, put.body)
  assert.equal((await call('PUT', path, { key })).status, 200)
})

test('of a key that is repeated the last counts, as JSON.parse has it', async ({ postAgent }) => {
  const { body } = await postAgent({ raw: '{"name":"first","type":"ai","name":"last"}' })
  assert.equal(body.name, 'last')
})

test('JSON is read as UTF-8 whatever the content type says', async ({ postAgent }) => {
  const raw = JSON.stringify(agentBody({ name: 'Zoë' }))
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=utf8',
    'application/json; charset=us-ascii',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=nonsense',
    'text/plain',
    'application/x-www-form-urlencoded',
    'nonsense',
    ';;;',
  ]) {
    const { status, body } = await postAgent({ raw, headers: { 'content-type': type } })
    assert.deepEqual([status, body.name], [201, 'Zoë'], type)
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  isInvalid(await postAgent({ raw: 'name=A&type=ai', headers: form }))
})

const brotli = { 'content-encoding': 'br' }

test('a packing that is not read is 415, and the answer says which are', async ({ postAgent }) => {
  const raw = JSON.stringify(agentBody())
  for (const encoding of ['compress', 'bzip2', 'x']) {
    const answer = await postAgent({ raw, headers: { 'content-encoding': encoding } })
    assertRefused(answer, 415, 'validation_error')
    assert.match(answer.body.error.message, /Content-Encoding.*gzip, deflate, br or zstd/)
  }
})

test('what cannot be read of a body is refused as the route refuses what does not fit', async ({
  call,
  key,
  postAgent,
}) => {
  const at = (prefix: Prefix) => encodeId(prefix, newId())
  const unread: [status: number, options: CallOptions][] = [
    [400, { raw: '{' }],
    [400, { raw: '{}', headers: brotli }],
    [400, { raw: new Uint8Array([0xff]) }],
    [413, { raw: ' '.repeat(256 * 1024 + 1) }],
    [415, { raw: '{}', headers: { 'content-encoding': 'x' } }],
  ]
  for (const [status, options] of unread) {
    assertRefused(await postAgent(options), status, 'validation_error')
    const proposal = await call('POST', '/v1/scheduling/proposals', { key, ...options })
    assertRefused(proposal, status, 'validation')
    const subscription = await call('POST', `/v1/agents/${at('agt')}/ical-subscriptions`, { key, ...options })
    assertRefused(subscription, 422, 'validation_error')
  }
})

test('a packed body is read; one that is not what it says is refused', async ({ postAgent }) => {
  const text = JSON.stringify(agentBody({ name: 'Packed' }))
  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const) {
    const headers = { 'content-encoding': encoding }
    const answer = await postAgent({ raw: new Uint8Array(pack(text)), headers })
    assert.deepEqual([answer.status, answer.body.name], [201, 'Packed'])
    isInvalid(await postAgent({ raw: text, headers }))
    isInvalid(await postAgent({ raw: new Uint8Array(pack(text)).slice(0, -9), headers }))
  }
})

test('bytes that are no UTF-8 are refused, and a byte order mark is passed over', async ({
  postAgent,
  storesNothing,
}) => {
  const name = (...bytes: number[]) =>
    new Uint8Array([...Buffer.from('{"name":"'), ...bytes, ...Buffer.from('","type":"ai"}')])
  // Latin-1, half a letter, an overlong slash, half a pair of surrogates, beyond Unicode.
  const wrong = [[0xfc], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]
  await storesNothing(async () => {
    for (const bytes of wrong) isInvalid(await postAgent({ raw: name(...bytes) }))
    isInvalid(await postAgent({ raw: new Uint8Array(Buffer.from(JSON.stringify(agentBody()), 'utf16le')) }))
  })
  const marked = await postAgent({ raw: new Uint8Array([0xef, 0xbb, 0xbf, ...name(0xc3, 0xbc)]) })
  assert.deepEqual([marked.status, marked.body.name], [201, 'ü'])
})

test('a form is read as UTF-8 whatever character set it names, and refused where it is not', async ({ call }) => {
  const reset = (raw: CallOptions['raw'], charset = '') => {
    const headers = { 'content-type': `application/x-www-form-urlencoded${charset}` }
    return call('POST', '/v1/auth/password/reset', { raw, headers })
  }
  for (const charset of ['', '; charset=utf8', '; charset=iso-8859-1', '; charset=nonsense']) {
    assert.equal((await reset('token=x&password=a+good%20p%C3%A4ssword', charset)).status, 202)
  }
  isInvalid(await reset('token=x&password=short'), 'password')
  isInvalid(await reset('token=x&token=y&password=a+good+password'), 'token')
  isInvalid(await reset(`token=x&password=a+good+password&${'a=&'.repeat(90)}b=`), 'a')
  isInvalid(await reset('token=x&password=a+good+password&__proto__=1'), '__proto__')
  isInvalid(await reset('token=x&password=a+good+password%00'), 'password')
  for (const wrong of ['%FC', '%C3', '%', '%zz']) isInvalid(await reset(`token=x&password=a+good+password${wrong}`))
  isInvalid(await reset(new Uint8Array([...Buffer.from('token=x&password=a+good+password'), 0xfc])))
})

test('a form has at most 100 fields', async ({ call }) => {
  const reset = (fields: number) => {
    const further = Array.from({ length: fields - 2 }, (_, nth) => `&a.a${nth}=`).join('')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return call('POST', '/v1/auth/password/reset', { raw: `token=x&password=a+good+password${further}`, headers })
  }
  isInvalid(await reset(100), 'a')
  isInvalid(await reset(101))
})
