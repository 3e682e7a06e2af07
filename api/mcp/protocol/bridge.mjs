#!/usr/bin/env node
// The bridge for hosts that start local programs and cannot send a header: each line of its input is posted to the MCP server,
// each response is one line of its output. One file, Node 18 or later, no packages.
//
//   AGENT_CALENDAR_KEY=svc_sk_… node bridge.mjs [--profile a,b] [--tools x,y] [--read-only]
//   AGENT_CALENDAR_URL: the address of the server, by default http://localhost:3000/mcp
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const key = process.env.AGENT_CALENDAR_KEY
const address = serverAddress()

// A proxy from Node's environment cannot reach a server on this machine.
const direct = [process.env.no_proxy ?? process.env.NO_PROXY, 'localhost,127.0.0.1,[::1]'].filter(Boolean).join()
Object.assign(process.env, { no_proxy: direct, NO_PROXY: direct })

if (!key) stop('Set AGENT_CALENDAR_KEY to an API key (svc_sk_… or svc_ak_…).')

/** So many requests are open at once. */
const maxOpen = 8
const retryAfterMs = [250, 1_000]

const versionMeta = 'io.modelcontextprotocol/protocolVersion'
/** Methods whose modern requests name what they are about in a header. */
const namedBy = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** The version of the handshake; modern requests name their own. */
let negotiated
/** The names of the tools that take an idempotency key; undefined until a list was seen. */
let keyed
/** By id of the request: what aborts it. */
const open = new Map()
const waiting = []
let running = 0

function stop(line) {
  process.stderr.write(`${line}\n`)
  process.exit(2)
}

function serverAddress() {
  try {
    const { values } = parseArgs({
      options: { profile: { type: 'string' }, tools: { type: 'string' }, 'read-only': { type: 'boolean' } },
    })
    const url = addressIn(process.env.AGENT_CALENDAR_URL || 'http://localhost:3000/mcp')
    if (values.profile !== undefined) url.searchParams.set('profile', values.profile)
    if (values.tools !== undefined) url.searchParams.set('tools', values.tools)
    if (values['read-only']) url.searchParams.set('read_only', 'true')
    return url
  } catch (error) {
    return stop(`${error.message.split('\n')[0]} Known: --profile, --tools, --read-only.`)
  }
}

function addressIn(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (/^https?:$/.test(url?.protocol) && !url.username && !url.password) return url
  return stop(
    'AGENT_CALENDAR_URL: expected an address such as http://localhost:3000/mcp, with http:// or https:// and no password.',
  )
}

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

const isRequest = ({ method, id }) => typeof method === 'string' && id !== undefined && id !== null

function headersOf({ method, params }) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const modern = params?._meta?.[versionMeta]
  const version = modern ?? negotiated
  if (version) headers['mcp-protocol-version'] = asHeader(version)
  if (!modern || !method) return headers
  headers['mcp-method'] = asHeader(method)
  const name = params?.[namedBy[method]]
  if (typeof name === 'string') headers['mcp-name'] = asHeader(name)
  return headers
}

/** A header holds ASCII; anything else is sent in base64, as the protocol says. */
function asHeader(value) {
  const text = String(value)
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** Posts a message once. */
const post = (message, signal) =>
  fetch(address, { method: 'POST', headers: headersOf(message), body: JSON.stringify(message), signal })

const unmade = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Whether the server cannot have seen the request. */
function isUnmade(error) {
  const causes = [error.cause, ...(error.cause?.errors ?? [])].filter(Boolean)
  return causes.some(({ code }) => unmade.has(code))
}

/** The messages of the answer. Repeats what may be repeated. */
async function exchange(message, signal, isKeyed) {
  for (let tries = 0; ; tries++) {
    try {
      return await messagesOf(await post(message, signal))
    } catch (error) {
      const mayRepeat = isKeyed || isUnmade(error)
      if (signal.aborted || !mayRepeat || tries === retryAfterMs.length) throw error
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs[tries]))
    }
  }
}

async function messagesOf(response) {
  const text = await response.text()
  if (!text) return []
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const lines = isStream
    ? text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
    : [text]
  try {
    return lines.map((line) => JSON.parse(line))
  } catch {
    throw new Error(`the server answered with HTTP ${response.status} and no JSON`)
  }
}

function learn(message, answers) {
  const result = answers.find(({ id }) => id === message.id)?.result
  if (message.method === 'initialize' && result) negotiated = result.protocolVersion
  if (message.method === 'tools/list' && Array.isArray(result?.tools)) {
    const taking = result.tools.filter(({ inputSchema }) => inputSchema?.properties?.idempotency_key)
    keyed = new Set(taking.map(({ name }) => name))
  }
}

/** The host may call without having listed: then the bridge lists for itself. */
async function takesKey({ params }, signal) {
  if (!keyed) {
    const list = {
      jsonrpc: '2.0',
      id: 'bridge',
      method: 'tools/list',
      params: params?._meta ? { _meta: params._meta } : {},
    }
    learn(list, await exchange(list, signal, true))
  }
  return keyed?.has(params?.name) ?? false
}

/** The message as it is sent, and whether the server does it only once if it is repeated. */
async function withKey(message, signal) {
  if (message.method !== 'tools/call') return { message, isKeyed: false }
  const sent = message.params?.arguments ?? {}
  if (typeof sent !== 'object' || Array.isArray(sent) || !(await takesKey(message, signal))) {
    return { message, isKeyed: false }
  }
  const args = { ...sent, idempotency_key: sent.idempotency_key ?? randomUUID() }
  return { message: { ...message, params: { ...message.params, arguments: args } }, isKeyed: true }
}

async function carry(message) {
  const aborting = new AbortController()
  const isAsked = isRequest(message)
  if (isAsked) open.set(JSON.stringify(message.id), aborting)
  try {
    const { message: sent, isKeyed } = await withKey(message, aborting.signal)
    const answers = await exchange(sent, aborting.signal, isKeyed)
    learn(message, answers)
    if (aborting.signal.aborted) return
    // An error of HTTP has no id, and a notification needs no answer.
    if (isAsked) for (const answer of answers) write(answer.method ? answer : { ...answer, id: message.id })
    else if (Array.isArray(message)) for (const answer of answers) write({ ...answer, id: answer.id ?? null })
  } catch (error) {
    if (!isAsked || aborting.signal.aborted) return
    const cause = error.cause?.code ?? error.message
    const text = `The calendar server did not answer (${cause}).`
    write({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: text } })
  } finally {
    if (isAsked) open.delete(JSON.stringify(message.id))
  }
}

function cancel({ params }) {
  const id = JSON.stringify(params?.requestId)
  open.get(id)?.abort()
  const at = waiting.findIndex((message) => JSON.stringify(message.id) === id)
  if (at >= 0) waiting.splice(at, 1)
}

/** Some editors and shells of Windows begin a text with it. */
const byteOrderMark = /^\uFEFF/

function take(sent) {
  const line = sent.replace(byteOrderMark, '')
  if (!line.trim()) return
  let message
  try {
    message = JSON.parse(line)
  } catch {
    write({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The line is not valid JSON.' } })
    return
  }
  if (message?.method === 'notifications/cancelled') {
    cancel(message)
    return
  }
  waiting.push(message ?? {})
  startNext()
}

function startNext() {
  while (running < maxOpen && waiting.length > 0) {
    const message = waiting.shift()
    running++
    carry(message).finally(() => {
      running--
      startNext()
    })
  }
}

// The process ends by itself once its input is over and nothing is open.
createInterface({ input: process.stdin }).on('line', take)
