// A page from disk may not fetch its neighbours: list finds without extracts.
if (location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// Paper is light, whatever the screen was.
{
  const { dataset } = document.documentElement;
  let theme = dataset.theme;
  addEventListener("beforeprint", () => {
    theme = dataset.theme;
    dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    dataset.theme = theme;
  });
}
