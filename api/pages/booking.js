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
    const shownAt = named(address, part.dataset.zone)
    if (remember) history.pushState(null, '', shownAt)
    else history.replaceState(null, '', shownAt)
    enhance()
    if (focus) focusOn(focus)
  } catch {
    location.assign(address)
  }
}

/** A guest may type a city: the address has the name of its zone. */
function named(address, zone) {
  const url = new URL(address, location.href)
  if (zone && url.searchParams.has('zone')) url.searchParams.set('zone', zone)
  return url.href
}

/** After a new day its heading takes the focus; after a new month the same arrow, or the chosen day without one. */
function focusOn(what) {
  if (what === 'day') {
    const heading = document.querySelector('#day')
    heading?.focus({ preventScroll: true })
    if (heading && !isInView(heading)) heading.scrollIntoView({ block: 'start' })
    return
  }
  const target = document.getElementById(what) ?? document.querySelector('a.day[aria-current]')
  target?.focus()
  if (what !== 'zone') status.textContent = document.querySelector('#month')?.textContent ?? ''
}

/** Whether the first times below it are on the screen, too. */
const isInView = (heading) => heading.getBoundingClientRect().bottom + 160 < innerHeight

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
  // The page names the mistake, in its language and next to the field.
  for (const form of document.querySelectorAll('[data-guest-form]')) form.noValidate = true
  for (const field of document.querySelectorAll('input[type="password"]')) addReveal(field)
  const form = document.querySelector('[data-zone-form]')
  const field = form?.querySelector('#zone')
  if (!field) return
  form.querySelector('button').hidden = true
  const send = () => {
    const zone = field.value.trim()
    if (zone === '' || zone === form.dataset.sent || zone === main().dataset.zone) return
    form.dataset.sent = zone
    show(withZone(zone), { focus: 'zone' })
  }
  field.addEventListener('change', send)
  // The list has all zones again once the field is empty; a guest who chooses none keeps the zone.
  field.addEventListener('focus', () => field.select())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send()
  })
}

/** A button that shows what is typed. Only pages in English ask for passwords. */
function addReveal(field) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.textContent = 'Show'
  button.setAttribute('aria-label', 'Show the password')
  button.setAttribute('aria-pressed', 'false')
  const group = document.createElement('div')
  group.className = 'secret'
  field.replaceWith(group)
  group.append(field, button)
  button.addEventListener('click', () => {
    const isShown = field.type === 'password'
    field.type = isShown ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(isShown))
  })
  // A password that is sent is never left in plain text for the browser to remember.
  field.form?.addEventListener('submit', () => {
    field.type = 'password'
  })
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-swap]')
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  show(link.href, { focus: link.dataset.swap })
})

const ahead = document.documentElement.dir === 'rtl' ? -1 : 1
const steps = {
  ArrowLeft: -ahead,
  ArrowRight: ahead,
  ArrowUp: -7,
  ArrowDown: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Infinity,
}

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
  const number = (link) => Number(link.dataset.nth)
  const beyond = days.filter((link) => (number(link) - number(day)) * Math.sign(step) > 0)
  const distance = (link) => Math.abs(number(link) - number(day) - step)
  return beyond.sort((a, b) => distance(a) - distance(b))[0]
}

/**
 * The form is sent without leaving the page: offline no entry is lost, and a mistake is named next to its field. A second
 * press of the button is blocked: the first one would already have taken the slot.
 */
document.addEventListener('submit', async (event) => {
  const form = event.target.closest('[data-guest-form]')
  if (!form) return
  event.preventDefault()
  if (form.dataset.sent) return
  mark(form, true)
  status.textContent = form.dataset.booking ?? ''
  let response
  let text
  try {
    response = await fetch(form.action, {
      method: 'POST',
      headers: { accept: 'text/html' },
      body: new URLSearchParams(new FormData(form)),
    })
    text = await response.text()
  } catch {
    mark(form, false)
    warn(form, form.dataset.offline)
    return
  }
  const shown = new DOMParser().parseFromString(text, 'text/html')
  const part = shown.querySelector('main')
  if (!part) {
    form.submit()
    return
  }
  main().replaceWith(part)
  document.title = shown.title
  status.textContent = shown.title
  enhance()
  const target = part.querySelector('[autofocus]') ?? part.querySelector('h1')
  if (!target.hasAttribute('autofocus')) target.tabIndex = -1
  target.focus()
  if (!response.ok) return
  scrollTo(0, 0)
  // A reload shows the booking. In a frame of another site its own page is not shown, so it opens in a tab of its own.
  if (!part.dataset.at || top !== self) return
  history.replaceState(null, '', part.dataset.at)
  part.querySelector('[data-own-tab]')?.removeAttribute('target')
})

function mark(form, isSent) {
  if (isSent) form.dataset.sent = 'true'
  else delete form.dataset.sent
  const button = form.querySelector('button')
  if (isSent) button.setAttribute('aria-disabled', 'true')
  else button.removeAttribute('aria-disabled')
}

function warn(form, text) {
  form.querySelector('.notice')?.remove()
  const notice = document.createElement('p')
  notice.className = 'notice'
  notice.setAttribute('role', 'alert')
  notice.textContent = text
  form.querySelector('button').before(notice)
  status.textContent = ''
}

// The guest returns to a form that was already sent.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('[data-guest-form][data-sent]')) {
    mark(form, false)
  }
})
window.addEventListener('popstate', () => show(location.href, { remember: false }))

enhance()
detectZone()
