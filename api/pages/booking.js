// Everything on a booking page works without this script, because each part of the page has an address. With it, the part
// is fetched and replaced instead of loading a whole document.

const status = document.querySelector('.status')
const main = () => document.querySelector('main')

/** Replaces the main part of the page with that of another address; if that fails, the browser goes there itself. */
async function show(address, { remember = true, focus } = {}) {
  main().setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(address, { headers: { accept: 'text/html' } })
    if (!response.ok) throw new Error(String(response.status))
    const shown = new DOMParser().parseFromString(await response.text(), 'text/html')
    const part = shown.querySelector('main')
    if (!part) throw new Error('nothing to show')
    main().replaceWith(part)
    document.title = shown.title
    if (remember) history.pushState(null, '', address)
    else history.replaceState(null, '', address)
    enhance()
    if (focus) focusOn(focus)
  } catch {
    location.assign(address)
  }
}

/** After a new day its heading takes the focus; after a new month the same arrow, or the chosen day without one. */
function focusOn(what) {
  if (what === 'day') {
    const heading = document.querySelector('#day')
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView({ block: 'nearest' })
    return
  }
  const target = document.getElementById(what) ?? document.querySelector('a.day[aria-current]')
  target?.focus()
  if (what !== 'zone') status.textContent = document.querySelector('#month')?.textContent ?? ''
}

const withZone = (zone) => {
  const address = new URL(location.href)
  address.searchParams.set('zone', zone)
  return address.href
}

/** A page requested without a zone is shown in the guest's own. */
function detectZone() {
  const { zone } = main().dataset
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!zone || !own || own === zone || new URL(location.href).searchParams.has('zone')) return
  show(withZone(own), { remember: false })
}

function enhance() {
  const form = document.querySelector('[data-zone-form]')
  const select = form?.querySelector('select')
  if (!select) return
  form.querySelector('button').hidden = true
  select.addEventListener('change', () => show(withZone(select.value), { focus: 'zone' }))
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-swap]')
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  show(link.href, { focus: link.dataset.swap })
})

const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: Number.NEGATIVE_INFINITY, End: Infinity }

/** Arrow keys move between free days: to the next one, or to the nearest one in the weeks above or below. */
document.addEventListener('keydown', (event) => {
  const day = event.target.closest('[data-days] a.day')
  if (!day || event.metaKey || event.ctrlKey || event.altKey) return
  const turn = { PageUp: 'previous', PageDown: 'next' }[event.key]
  const next = turn ? document.getElementById(turn) : freeDayFrom(day, steps[event.key])
  if (!next) return
  event.preventDefault()
  if (turn) show(next.href, { focus: 'month-day' })
  else next.focus()
})

function freeDayFrom(day, step) {
  if (step === undefined) return undefined
  const days = [...document.querySelectorAll('[data-days] a.day')]
  const at = days.indexOf(day)
  if (Math.abs(step) === 1) return days[at + step]
  if (step === Infinity) return days.at(-1)
  if (step === Number.NEGATIVE_INFINITY) return days[0]
  const number = (link) => Number(link.textContent)
  const beyond = days.filter((link) => (number(link) - number(day)) * Math.sign(step) > 0)
  const distance = (link) => Math.abs(number(link) - number(day) - step)
  return beyond.sort((a, b) => distance(a) - distance(b))[0]
}

/** Blocks a second press of the button: the first one would already have taken the slot. */
document.addEventListener('submit', (event) => {
  const form = event.target.closest('[data-guest-form]')
  if (!form) return
  if (form.dataset.sent) {
    event.preventDefault()
    return
  }
  form.dataset.sent = 'true'
  form.querySelector('button').setAttribute('aria-disabled', 'true')
  status.textContent = 'Booking…'
})

// The guest returns to a form that was already sent.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('[data-guest-form][data-sent]')) {
    delete form.dataset.sent
    form.querySelector('button').removeAttribute('aria-disabled')
  }
})
window.addEventListener('popstate', () => show(location.href, { remember: false }))

enhance()
detectZone()
