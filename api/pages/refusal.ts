// Shows a guest what went wrong: the form again if that helps, or else a page that says so.
import { requireOpenPage, slotsOf } from '../../src/booking/guest.ts'
import type { ServiceError } from '../../src/errors.ts'
import { readTime } from '../../src/localtime/readTime.ts'
import { isZone } from '../../src/shapes/zones.ts'
import { asksForHtml } from '../http/accept.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer, RefusedCall } from '../http/route.ts'
import { pageAnswer } from './document.ts'
import { formOf, type Typed, takenOf } from './form.ts'
import { failedOf } from './notices.ts'
import { type View, viewOf } from './view.ts'

export async function showRefusal(error: ServiceError, call: RefusedCall): Promise<RawAnswer | undefined> {
  if (!asksForHtml(call.headers)) return undefined
  const content = (await formAgain(error, call)) ?? failedOf(error, backFrom(error, call))
  return pageAnswer(error.status, rootOf(call.app), content)
}

const textOf = (call: RefusedCall, from: 'params' | 'body', name: string): string | undefined => {
  const value = (call[from] as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

function backFrom({ status }: ServiceError, call: RefusedCall): string | undefined {
  const slug = textOf(call, 'params', 'slug')
  return status === 404 || slug === undefined ? undefined : `${rootOf(call.app)}/book/${encodeURIComponent(slug)}`
}

/** The form with what the guest typed; undefined if no form was sent, or if another attempt would not help. */
async function formAgain(error: ServiceError, call: RefusedCall) {
  const start = readTime(textOf(call, 'body', 'start') ?? '')
  const helps = [400, 409].includes(error.status) || error.status >= 500
  if (start.kind === 'refused' || !helps) return undefined
  try {
    const page = await requireOpenPage(call.app, textOf(call, 'params', 'slug') ?? '')
    const zone = textOf(call, 'body', 'zone')
    const view = viewOf(call.app, call.headers, page, zone !== undefined && isZone(zone) ? zone : undefined)
    return { title: `Not booked yet – ${page.title}`, main: await formWith(error, call, view, start.at.getTime()) }
  } catch {
    return undefined
  }
}

async function formWith(error: ServiceError, call: RefusedCall, view: View, startMs: number) {
  const typed: Typed = {
    name: textOf(call, 'body', 'name'),
    email: textOf(call, 'body', 'email'),
    notes: textOf(call, 'body', 'notes'),
  }
  const field = error.detail.param ?? undefined
  if (error.status === 409 || field === 'start') {
    const slots = await slotsOf(call.app, view.page, call.app.clock.now())
    return takenOf(view, startMs, nearest(slots, startMs), { typed })
  }
  return formOf(view, startMs, { typed, problem: { message: messageOf(error, field), field } })
}

const fieldMessages: Record<string, string> = {
  name: 'Please enter your name (at most 200 characters).',
  email: 'Please enter an e-mail address, for example name@example.com.',
  notes: 'Please shorten your notes to at most 2,000 characters.',
}

const messageOf = (error: ServiceError, field: string | undefined): string => {
  if (field !== undefined && field in fieldMessages) return fieldMessages[field]!
  if (error.detail.code === 'availability_incomplete') return error.message
  if (error.status >= 500 && error.type !== 'quota_exceeded') {
    return 'Something went wrong on our side, and the time may or may not be booked. Please try again in a moment.'
  }
  return error.message
}

const maxOthers = 6

/** The free starts closest to a taken one, in ascending order. */
const nearest = (slots: readonly number[], startMs: number): number[] =>
  slots
    .filter((_, nth) => nth % 2 === 0)
    .sort((a, b) => Math.abs(a - startMs) - Math.abs(b - startMs))
    .slice(0, maxOthers)
    .sort((a, b) => a - b)
