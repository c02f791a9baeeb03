"""Only core/platform.hpp depends on the compiler, the processor or the operating system."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLATFORM = ROOT / "core" / "platform.hpp"
SOURCES = [
    path
    for folder in ("core", "bindings", "tests/native")
    for path in sorted((ROOT / folder).rglob("*.?pp"))
    if path != PLATFORM
]
NOT_PORTABLE = re.compile(
    r"""__builtin_|__attribute__|__asm__|\basm\b|__int128|\bgnu::|__restrict
    |__(?:x86_64|aarch64|SSE\d*|AVX2|linux|APPLE|GNUC|clang)__
    |<(?:\w*mmintrin|arm_neon|pthread|sched|sys/\w+)\.h>
    |std::(?:atomic_ref|jthread|stop_token|execution)\b""",
    re.VERBOSE,
)


def offences(text: str) -> list[str]:
    code = (line.partition("//")[0] for line in text.splitlines())
    return [line.strip() for line in code if NOT_PORTABLE.search(line)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_source_is_portable(path: Path) -> None:
    assert offences(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "__builtin_ia32_pause();",
        "[[gnu::noinline]] void f();",
        "[[noreturn, gnu::noinline]] void f();",
        "#include <sys/mman.h>",
        "#include <immintrin.h>",
        "const std::atomic_ref m(x);",
        "#if defined(__x86_64__)",
    ],
)
def test_what_is_not_portable_is_found(line: str) -> None:
    assert offences(line) == [line]
    assert offences("// " + line) == []
