"""The paper: a draft, whose displays are numbered here in their order of appearance; nothing here is a verdict."""

from derivations.author import *
from derivations.models.committee import *
from derivations.papers.carrasco_davis_grant_2025.source.vocabulary import *
from derivations.models import committee

net = committee
paper = Paper("carrasco_davis_grant_2025",
    title="A primer on the analytical learning dynamics of nonlinear neural networks",
    authors="Rodrigo Carrasco-Davis, Erin Grant", year=2025, source="ICLR Blogposts (2025), draft of 28 April 2025",
    read="Read was the Markdown source of the draft dated 28 April 2025, which has open TODOs and figures that are planned; the "
    "published post was not. It numbers no equations: here every display has one number, in the order of appearance, and lines are "
    "counted within a display.", numbered=20, vocabulary=VOCABULARY, models=[net])
