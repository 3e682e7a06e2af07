// The queue `mail`: a mail waits to be sent.
import type { App } from '../src/app.ts'
import { sendMail } from '../src/mails/send.ts'
import type { Handlers } from '../src/wakeups/pool.ts'

export const mailHandlers = (app: App): Handlers<'mail'> => ({ mail: (payload) => sendMail(app, payload) })
