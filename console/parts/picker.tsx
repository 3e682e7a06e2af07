import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { texts } from '../texts.ts'
import { step } from './keys.ts'
import { type Find, matching, type Option } from './options.ts'
import { foundLabel, useFound } from './useFound.ts'

type Props = {
  label: string
  inputId?: string
  options: readonly Option[]
  find?: Find | undefined
  /** The chosen values. */
  chosen: readonly string[]
  /** Options that the typed text itself makes; they come first. */
  typedOptions?: (typed: string) => readonly Option[]
  choose: (values: string[]) => void
  several?: boolean
  param?: string
  describedBy?: string
  isInvalid?: boolean
}

const none = () => []

/** A combobox with a listbox: type, then take an option. Several chosen things are buttons that remove them. */
export function Picker({
  label,
  options,
  find,
  chosen,
  choose,
  several,
  typedOptions = none,
  inputId,
  param,
  describedBy,
  isInvalid,
}: Props) {
  const labelOf = (value: string) =>
    options.find((option) => option.value === value)?.label ?? foundLabel(value) ?? value
  const current = several ? '' : chosen[0] ? labelOf(chosen[0]) : ''
  const [typed, setTyped] = useState<string | undefined>()
  const [at, setAt] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const found = useFound(typed ?? '', find).filter(({ value }) => !options.some((option) => option.value === value))
  const all = [...options, ...found]
  const free = several ? all.filter(({ value }) => !chosen.includes(value)) : all
  useEffect(() => {
    // Not cut off by the edge of a dialog.
    if (isOpen) document.getElementById(`${id}-list`)?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, id])
  const shown = [...typedOptions(typed ?? ''), ...matching(free, typed ?? '')]

  function take(option: Option) {
    choose(several ? [...chosen, option.value] : [option.value])
    setTyped(undefined)
    setIsOpen(false)
  }

  function type({ currentTarget }: { currentTarget: HTMLInputElement }) {
    setTyped(currentTarget.value)
    setIsOpen(true)
    setAt(0)
  }

  function leave() {
    if (typed === '' && !several) choose([])
    const exact = shown.find((option) => option.label.toLowerCase() === typed?.trim().toLowerCase())
    if (exact) take(exact)
    setTyped(undefined)
    setIsOpen(false)
  }

  function onKey(event: KeyboardEvent) {
    const next = isOpen ? step(event.key, at, shown.length) : undefined
    if (event.key === 'Enter' && isOpen && shown[at]) {
      event.preventDefault()
      take(shown[at])
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      event.stopPropagation()
      setIsOpen(false)
      setTyped(undefined)
    } else if (event.key === 'ArrowDown' && !isOpen) {
      event.preventDefault()
      setIsOpen(true)
      setAt(0)
    } else if (next !== undefined && event.key.startsWith('Arrow')) {
      event.preventDefault()
      setAt(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    }
  }

  return (
    <div className="picker">
      {several && chosen.length > 0 && (
        <div className="chosen">
          {chosen.map((value) => (
            <button
              key={value}
              type="button"
              className="quiet small"
              aria-label={texts.remove(labelOf(value))}
              onClick={() => {
                choose(chosen.filter((one) => one !== value))
                input.current?.focus()
              }}
            >
              {labelOf(value)} <span aria-hidden="true">×</span>
            </button>
          ))}
        </div>
      )}
      <input
        ref={input}
        id={inputId}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && shown[at] ? `${id}-${at}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        autoComplete="off"
        spellCheck={false}
        data-param={param}
        value={typed ?? current}
        onChange={type}
        // React leaves out a change to what was there, but a person who types it looks for it.
        onInput={type}
        onClick={() => setIsOpen(true)}
        onBlur={leave}
        onKeyDown={onKey}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen} className="options">
        {isOpen && shown.length === 0 && <div className="muted none">{texts.noMatch}</div>}
        {isOpen &&
          shown.map((option, nth) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys and the focus are those of the combobox
            <div
              key={option.value}
              id={`${id}-${nth}`}
              role="option"
              aria-selected={nth === at}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option)}
            >
              {option.label}
            </div>
          ))}
      </div>
    </div>
  )
}
