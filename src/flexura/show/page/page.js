for (const one of document.querySelectorAll(".formula, .inline")) {
  const display = one.matches(".formula");
  katex.render(one.textContent, one, { displayMode: display, throwOnError: false });
  one.classList.add("set");
  if (display) {
    const width = one.firstElementChild.getBoundingClientRect().width;
    one.style.setProperty("--ems", width / parseFloat(getComputedStyle(one).fontSize));
  }
}
