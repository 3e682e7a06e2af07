// The door to e-mail: an SMTP server, or without one a folder of readable files. A message of plain ASCII text is sent exactly
// as written here, so that a person can read a file and follow its link; any other one is encoded.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'

type Message = {
  /** The same when the message is sent again, so that servers can recognise it. */
  id: string
  /** Names the file. */
  kind: string
  to: string
  subject: string
  text: string
  /** A file for the reader's calendar: an invitation or its end. */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string }
  date: Date
}

export type Mail = { send(message: Message): Promise<void>; close(): void }

/** Their sum is shorter than the lease of a mail. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 5_000 }

type MailOptions = { mailFrom: string; mailDir: string; smtpUrl?: string | undefined }

export function openMail(config: MailOptions): Mail {
  const from = config.mailFrom
  if (!config.smtpUrl) return { send: (message) => writeMessage(config.mailDir, from, message), close: () => undefined }
  const transport = nodemailer.createTransport({ url: config.smtpUrl, ...timeouts })
  return {
    async send(message) {
      await transport.sendMail({ envelope: { from, to: [message.to] }, raw: await written(from, message) })
    },
    close: () => transport.close(),
  }
}

/** The server will never accept this message. */
export const isRefusedForGood = (error: unknown): boolean => {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500
}

/** The part of a failure that may be logged. The server's own text may name the recipient. */
export const reasonOf = (error: unknown): string => {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return [code ?? 'error', responseCode].filter((part) => part !== undefined).join(' ')
}

const isAscii = (text: string): boolean => /^[\t\n\r\x20-\x7e]*$/.test(text)

async function written(from: string, message: Message): Promise<string | Buffer> {
  return message.calendar || !isAscii(message.subject + message.text) ? encoded(from, message) : plain(from, message)
}

/** Every value is one of its own, so no text can become a header or another recipient. */
function encoded(from: string, { id, to, subject, text, calendar, date }: Message): Promise<Buffer> {
  const composer = new MailComposer({
    from: { name: 'agent-calendar', address: from },
    to: { name: '', address: to },
    subject,
    date,
    messageId: messageId(from, id),
    headers: { 'Auto-Submitted': 'auto-generated' },
    text,
    textEncoding: 'quoted-printable',
    ...(calendar && { icalEvent: { method: calendar.method, filename: 'booking.ics', content: calendar.content } }),
    newline: 'windows',
  })
  return composer.compile().build()
}

const messageId = (from: string, id: string): string => `<${id}@${from.split('@')[1]}>`

function plain(from: string, { id, to, subject, text, date }: Message): string {
  const headers = [
    `From: agent-calendar <${from}>`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${messageId(from, id)}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 7bit',
  ]
  return `${[...headers, '', ...text.split('\n')].join('\r\n')}\r\n`
}

/** The file appears whole or not at all, and has the same name if written again. Only its owner may read it: links open accounts. */
async function writeMessage(folder: string, from: string, message: Message) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = `${message.date.toISOString().replaceAll(':', '-')}_${message.id}_${message.kind}`
  const unfinished = join(folder, `.${name}`)
  await writeFile(unfinished, await written(from, message), { mode: 0o600 })
  await rename(unfinished, join(folder, `${name}.eml`))
}
