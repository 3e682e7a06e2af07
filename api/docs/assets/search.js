// Search in the pages and the operations. The list is loaded when the box is opened first; the index is made here.
{
  const { root } = document.body.dataset
  const dialog = document.getElementById('search')
  const input = dialog.querySelector('input')
  const status = dialog.querySelector('[role=status]')
  const list = dialog.querySelector('ol')
  const button = document.getElementById('search-button')
  const maxShown = 12
  let index

  const load = async () => {
    const response = await fetch(`${root}/docs/search.json`)
    const sections = await response.json()
    const made = new MiniSearch({
      fields: ['title', 'page', 'text'],
      storeFields: ['title', 'page', 'text', 'href'],
      searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
    })
    made.addAll(sections.map((section, id) => ({ id, ...section })))
    return made
  }

  /** The text around the first word that was found. */
  const excerpt = ({ text, terms }) => {
    const at = Math.max(0, ...terms.slice(0, 1).map((term) => text.toLowerCase().indexOf(term)))
    const from = Math.max(0, at - 40)
    return `${from > 0 ? '…' : ''}${text.slice(from, from + 140)}…`
  }

  const item = (found) => {
    const link = document.createElement('a')
    link.href = found.href
    for (const [tag, text] of [
      ['strong', found.title],
      ['small', found.page === found.title ? '' : found.page],
      ['span', excerpt(found)],
    ]) {
      link.append(Object.assign(document.createElement(tag), { textContent: text }))
    }
    const line = document.createElement('li')
    line.append(link)
    return line
  }

  const show = async () => {
    index ??= load()
    let ready
    try {
      ready = await index
    } catch {
      index = undefined
      status.textContent = 'Search could not be loaded.'
      return
    }
    const found = input.value.trim() ? ready.search(input.value) : []
    status.textContent = input.value.trim() ? `${found.length} ${found.length === 1 ? 'result' : 'results'}` : ''
    list.replaceChildren(...found.slice(0, maxShown).map(item))
  }

  const open = () => {
    dialog.showModal()
    input.select()
    show()
  }

  const links = () => [...list.querySelectorAll('a')]
  const move = (by) => {
    const all = links()
    const at = all.indexOf(document.activeElement) + by
    if (at < 0) input.focus()
    else all[Math.min(at, all.length - 1)]?.focus()
  }

  button.hidden = false
  button.addEventListener('click', open)
  input.addEventListener('input', show)
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && event.target === input) links()[0]?.click()
    else return
    event.preventDefault()
  })
  dialog.addEventListener('click', (event) => {
    // A click outside the box, or on a result of the same page.
    if (event.target === dialog || event.target.closest('a')) dialog.close()
  })
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    open()
  })
}
