// The door to e-mail: an SMTP server, or without one a folder of readable files. A message is plain text in ASCII, sent as
// it is written here, so that a file can be read and a link in it followed.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'

type Message = {
  /** Repeated when the message is sent again, so that servers can tell. */
  id: string
  /** Names the file. */
  kind: string
  to: string
  subject: string
  text: string
  date: Date
}

export type Mail = { send(message: Message): Promise<void>; close(): void }

/** Together shorter than the lease of a mail. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 5_000 }

type MailOptions = { mailFrom: string; mailDir: string; smtpUrl?: string | undefined }

export function openMail(config: MailOptions): Mail {
  const from = config.mailFrom
  if (!config.smtpUrl) return { send: (message) => writeMessage(config.mailDir, from, message), close: () => undefined }
  const transport = nodemailer.createTransport({ url: config.smtpUrl, ...timeouts })
  return {
    async send(message) {
      await transport.sendMail({ envelope: { from, to: [message.to] }, raw: written(from, message) })
    },
    close: () => transport.close(),
  }
}

/** A server that will never take this message, whenever it is asked. */
export const isRefusedForGood = (error: unknown): boolean => {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500
}

/** What may be logged of a failure: what the server said may name the recipient. */
export const reasonOf = (error: unknown): string => {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return [code ?? 'error', responseCode].filter((part) => part !== undefined).join(' ')
}

function written(from: string, { id, to, subject, text, date }: Message): string {
  const headers = [
    `From: agent-calendar <${from}>`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${from.split('@')[1]}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 7bit',
  ]
  return `${[...headers, '', ...text.split('\n')].join('\r\n')}\r\n`
}

/** Appears whole or not at all; written again, it is the same file. Links in it open accounts: for nobody else to read. */
async function writeMessage(folder: string, from: string, message: Message) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = `${message.date.toISOString().replaceAll(':', '-')}_${message.id}_${message.kind}`
  const unfinished = join(folder, `.${name}`)
  await writeFile(unfinished, written(from, message), { mode: 0o600 })
  await rename(unfinished, join(folder, `${name}.eml`))
}
