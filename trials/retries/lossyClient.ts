// A client whose answers get lost: its connection is reset a moment after the request was sent, or the answer comes as far
// as a proxy and no further. It asks again with the same key until it has an answer.
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export type Question = { method: string; path: string; body?: object }
type Reply = { status: number; text: string; isReplayed: boolean }

/** A request with its key, and its outcome. */
export type Asked = Question & {
  idempotencyKey: string
  /** The first answer that the client got. */
  reply: Reply
  /** How often no answer came. */
  losses: number
  /** An answer that came as far as the proxy, if it was a success. */
  seenByProxy: Reply | undefined
}

export type LossyClient = {
  /** Connections that were cut, by where. */
  cuts: { request: number; answer: number }
  /** Resolves with the first answer that states the outcome. Throws once `stopped`. */
  ask(question: Question, idempotencyKey: string, shareLost: number): Promise<Asked>
}

type Loss = 'request' | 'answer' | undefined

const cutWithinMs = 25
const pauseMs = 30
const timeoutMs = 15_000

export function openLossyClient(ports: readonly number[], key: string, stopped: AbortSignal): LossyClient {
  const agent = new Agent({ keepAlive: true })
  const cuts = { request: 0, answer: 0 }
  const anyPort = () => ports[Math.floor(Math.random() * ports.length)]!

  /** Undefined if nothing came back. */
  function send(question: Question, idempotencyKey: string, loss: Loss): Promise<Reply | undefined> {
    const { method, path, body } = question
    const headers = {
      authorization: `Bearer ${key}`,
      'idempotency-key': idempotencyKey,
      ...(body && { 'content-type': 'application/json' }),
    }
    return new Promise((resolve) => {
      const sent = request({ host: '127.0.0.1', port: anyPort(), method, path, headers, agent, timeout: timeoutMs })
      sent.on('response', (answer) => replyOf(answer).then(resolve, () => resolve(undefined)))
      sent.on('error', () => resolve(undefined))
      sent.on('timeout', () => sent.destroy())
      sent.end(body && JSON.stringify(body), () => {
        if (loss === 'request') setTimeout(() => sent.destroy(), Math.random() * cutWithinMs)
      })
    })
  }

  return {
    cuts,
    async ask(question, idempotencyKey, shareLost) {
      const asked = { ...question, idempotencyKey, losses: 0, seenByProxy: undefined as Reply | undefined }
      for (; ; asked.losses++) {
        stopped.throwIfAborted()
        const loss: Loss = Math.random() >= shareLost ? undefined : Math.random() < 0.5 ? 'request' : 'answer'
        const reply = await send(question, idempotencyKey, loss)
        if (loss === 'request' && !reply) cuts.request++
        if (loss === 'answer' && reply) {
          cuts.answer++
          if (reply.status < 300) asked.seenByProxy ??= reply
        } else if (reply && isFinal(reply)) return { ...asked, reply }
        await pause(pauseMs)
      }
    },
  }
}

/** With any other answer the request is sent again. */
const isFinal = ({ status }: Reply): boolean => status < 500 && status !== 429

async function replyOf(answer: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const isReplayed = answer.headers['idempotent-replayed'] === 'true'
  return { status: answer.statusCode!, text: Buffer.concat(chunks).toString(), isReplayed }
}
