"""`python -m battles.data.scenarios.build`."""

from battles.data.scenarios.build import write_all

if __name__ == "__main__":
    write_all()
