const again = () =>
  fetch(location.href)
    .then((answer) => answer.text())
    .then((text) => {
      const page = new DOMParser().parseFromString(text, "text/html");
      const [old, main] = [document, page].map((from) => from.querySelector("main"));
      if (old.innerHTML !== main.innerHTML) old.replaceChildren(...main.childNodes);
      if (page.querySelector("script")) setTimeout(again, 1000);
    })
    .catch(() => setTimeout(again, 5000));
setTimeout(again, 1000);
