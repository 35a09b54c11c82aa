// A tool's answer goes into the fold of its call; everything else to the end. Markup comes from our own templates.

export function place(html, fragment) {
  if (!html) return;
  const made = document.createElement("template");
  made.innerHTML = html;
  for (const node of [...made.content.childNodes]) {
    const into = node.dataset?.into;
    const slot = into && (fragment.getElementById(into) ?? document.getElementById(into));
    (slot || fragment).append(node);
  }
}
